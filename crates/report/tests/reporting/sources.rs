//! Proves from the sources that nothing but the style and the chart goes into a page unescaped.

use std::path::Path;

#[test]
fn only_the_style_and_the_chart_are_put_in_as_they_are() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("src/html");
    let mut raw: Vec<String> = Vec::new();
    for entry in std::fs::read_dir(folder).unwrap() {
        let text = std::fs::read_to_string(entry.unwrap().path()).unwrap();
        let code = text.lines().map(|line| line.split("//").next().unwrap());
        let unescaped = code.filter(|line| line.contains("PreEscaped("));
        raw.extend(unescaped.map(|line| line.trim().to_owned()));
    }
    assert_eq!(raw.len(), 3, "{raw:#?}");
    for put_in in [
        "(PreEscaped(STYLE))",
        "(PreEscaped(wide))",
        "(PreEscaped(narrow))",
    ] {
        assert!(raw.iter().any(|line| line.contains(put_in)), "{put_in}");
    }
}
