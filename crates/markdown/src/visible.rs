//! Making characters visible that would do something instead of being read: those that steer a terminal, and those that
//! reorder or hide the words around them. It is the last step of every report and of what
//! gapless writes of a session, over all of it, so that no text is missed.

/// Every such character as a sign for it; line ends stay, and tabs are blanks.
pub fn visible(text: &str) -> String {
    let plain = |byte: u8| matches!(byte, b' '..=b'~' | b'\n');
    // Not a search: that stops at each byte, where this looks at many at once.
    if text.bytes().fold(true, |all, byte| all & plain(byte)) {
        return text.to_owned();
    }
    let mut shown = String::with_capacity(text.len());
    for character in text.chars() {
        match character {
            '\n' => shown.push('\n'),
            '\t' => shown.push_str("    "),
            // The end of a line as other systems write it.
            '\r' => {}
            // Unicode has a picture for each: ␀, ␛, ␡.
            '\u{0}'..='\u{1f}' => {
                let picture = char::from_u32(0x2400 + u32::from(character));
                shown.push(picture.unwrap_or('\u{fffd}'));
            }
            '\u{7f}' => shown.push('\u{2421}'),
            '\u{80}'..='\u{9f}'
            | '\u{202a}'..='\u{202e}'
            | '\u{2066}'..='\u{2069}'
            | '\u{200b}'
            | '\u{200e}'
            | '\u{200f}'
            | '\u{2028}'
            | '\u{2029}'
            | '\u{feff}'
            // Tags, which nobody sees and machines read.
            | '\u{e0000}'..='\u{e007f}' => shown.push('\u{fffd}'),
            character => shown.push(character),
        }
    }
    shown
}

#[cfg(test)]
mod tests {
    use super::visible;

    #[test]
    fn what_steers_is_seen_instead() {
        let cases = [
            ("a\u{1b}[31mred\u{7}", "a␛[31mred␇"),
            ("one\r\ntwo\tthree", "one\ntwo    three"),
            ("\u{202e}drow\u{2066}", "�drow�"),
            ("\u{9b}2J\u{7f}\u{0}", "�2J␡␀"),
            ("\u{e0041}x", "�x"),
            ("Größe ✓ 漢字 👩‍🚒", "Größe ✓ 漢字 👩‍🚒"),
        ];
        for (text, expected) in cases {
            assert_eq!(visible(text), expected);
        }
    }
}
