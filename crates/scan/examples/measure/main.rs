use gapless_scan::{Rules, scan};
fn main() {
    for path in std::env::args().skip(1) {
        let text = std::fs::read_to_string(&path).unwrap();
        let f = scan(&text, &Rules::default());
        let words = text.split_whitespace().count();
        println!(
            "{path}: {} findings, {:.1} per page",
            f.len(),
            f.len() as f64 * 400.0 / words as f64
        );
        for x in f {
            println!(
                "  {}:{} {} [{}] {} || {}",
                x.line, x.column, x.rule, x.severity, x.message, x.excerpt
            );
        }
    }
}
