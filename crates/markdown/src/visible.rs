//! Making characters visible that would do something instead of being read: those that steer a terminal, and those that
//! reorder or hide the words around them. It is the last step of every report and of what
//! gapless writes of a session, over all of it, so that no text is missed.

/// Every such character as a sign for it; line ends stay, and tabs are blanks. A joiner stays where it joins what needs it:
/// two emoji, or two letters of a script that is written with joiners.
pub fn visible(text: &str) -> String {
    let plain = |byte: u8| matches!(byte, b' '..=b'~' | b'\n');
    // Not a search: that stops at each byte, where this looks at many at once.
    if text.bytes().fold(true, |all, byte| all & plain(byte)) {
        return text.to_owned();
    }
    let mut shown = String::with_capacity(text.len());
    let mut before = None;
    let mut characters = text.chars().peekable();
    while let Some(character) = characters.next() {
        let after = characters.peek().copied();
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
            '\u{200c}' | '\u{200d}' if before.zip(after).is_some_and(are_joined) => {
                shown.push(character);
            }
            character if is_deceptive(character) => shown.push('\u{fffd}'),
            character => shown.push(character),
        }
        before = Some(character);
    }
    shown
}

/// True for a character beyond ASCII that does something instead of being read: it steers a terminal, reorders or hides what
/// is around it, or is hidden itself.
pub fn is_deceptive(character: char) -> bool {
    matches!(
        character,
        '\u{80}'..='\u{9f}'
            | '\u{61c}'
            | '\u{180e}'
            | '\u{200b}'..='\u{200f}'
            | '\u{2028}'..='\u{202e}'
            | '\u{2060}'..='\u{206f}'
            | '\u{feff}'
            // Tags, which nobody sees and machines read.
            | '\u{e0000}'..='\u{e007f}'
    )
}

/// True where a joiner between these two changes how they look.
fn are_joined((before, after): (char, char)) -> bool {
    let is_emoji =
        |c| matches!(c, '\u{2190}'..='\u{2bff}' | '\u{fe0f}' | '\u{1f000}'..='\u{1faff}');
    // Arabic, Syriac, the scripts of India, Sinhala, Myanmar, Khmer and Mongolian.
    let is_joining = |c| {
        matches!(c, '\u{620}'..='\u{dff}' | '\u{1000}'..='\u{109f}' | '\u{1780}'..='\u{18af}')
            && !is_deceptive(c)
    };
    is_emoji(before) && is_emoji(after) || is_joining(before) && is_joining(after)
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
            ("a\u{61c}b\u{200b}c\u{200d}d\u{2060}e\u{feff}", "a�b�c�d�e�"),
            ("👩\u{200d}\u{200d}🚒", "👩��🚒"),
            ("می\u{200c}خواهم", "می\u{200c}خواهم"),
            ("Größe ✓ 漢字 👩‍🚒", "Größe ✓ 漢字 👩‍🚒"),
        ];
        for (text, expected) in cases {
            assert_eq!(visible(text), expected);
        }
    }
}
