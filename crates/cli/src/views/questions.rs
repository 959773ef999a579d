//! Questions: as they are put to a person, and with the commands that answer them.

use gapless_domain::{About, Choice, Field, Question, comma_list};

use crate::output::sign_in::sign_in_hint;
use crate::workspace::quoted;
use crate::{Screen, SessionView, Tone, plain};

/// The options that a person may take.
pub(crate) fn offered(question: &Question) -> impl Iterator<Item = &Choice> {
    question.options.iter().filter(|choice| !choice.policy_only)
}

/// The placeholder for a field's text in a printed command.
fn placeholder(field: &Field) -> String {
    format!("<{}>", plain::one_line(&field.text))
}

/// A field as an argument, with its exact or suggested text, else with its placeholder.
fn argument(field: &Field) -> String {
    let value = field.exactly.as_ref().or(field.suggested.as_ref());
    let value = value.cloned().unwrap_or_else(|| placeholder(field));
    format!("--field {}", quoted(&format!("{}={value}", field.name)))
}

/// The fields that may go with an option and needn't, as arguments to put behind its command.
pub(crate) fn optional(question: &Question, choice: &Choice) -> Vec<String> {
    let fields = question.fields.iter();
    fields
        .filter(|field| field.goes_with(&choice.label))
        .filter(|field| !field.needed_for.contains(&choice.label))
        .map(argument)
        .collect()
}

/// The question with its context and its numbered options.
pub(crate) fn asked(screen: &Screen, question: &Question) -> Vec<String> {
    let mut lines = heading(screen, question);
    let widest = offered(question)
        .map(|choice| choice.label.len())
        .max()
        .unwrap_or_default();
    for (number, choice) in offered(question).enumerate() {
        let label = format!("{}) {:<widest$}", number + 1, choice.label);
        lines.push(format!(
            "  {}  {}{}",
            screen.paint(Tone::Strong, label),
            choice.text,
            recommended(screen, choice)
        ));
        lines.extend(effect(screen, choice, widest + 7));
    }
    lines
}

/// The question with its context, and for each option the command that takes it.
pub(crate) fn with_commands(view: SessionView<'_>, question: &Question) -> Vec<String> {
    let screen = view.screen();
    let mut lines = heading(screen, question);
    lines.extend(owned(view, question));
    for choice in offered(question) {
        lines.push(format!(
            "  {}  {}{}",
            screen.paint(Tone::Strong, &choice.label),
            choice.text,
            recommended(screen, choice)
        ));
        lines.extend(effect(screen, choice, 6));
        let command = command(view, question, choice);
        lines.push(format!("      {}", screen.paint(Tone::Info, command)));
        let optional = optional(question, choice);
        if !optional.is_empty() {
            // On a line of its own, so that the command can be pasted as it is.
            let line = format!("optional: {}", screen.paint(Tone::Info, optional.join(" ")));
            lines.push(format!("        {line}"));
        }
    }
    lines
}

/// Whose the gaps of a question are, and when the first of them is due.
fn owned(view: SessionView<'_>, question: &Question) -> Option<String> {
    let text = owned_in_words(view, question)?;
    let text = format!("  For {}\n", plain::one_line(&text));
    Some(view.screen().paint(Tone::Info, text))
}

/// The same in words; nothing where nobody has the gaps and no day is set.
pub(crate) fn owned_in_words(view: SessionView<'_>, question: &Question) -> Option<String> {
    let (owners, ownership) = view.state.ownership_of_question(question);
    let mut text = match owners.is_empty() {
        true => "anyone".to_owned(),
        false => comma_list(&owners),
    };
    if let Some(due) = ownership.due {
        text += &format!(", due {due}");
    }
    if ownership.is_overdue(view.context.clock.now()) {
        text += " (overdue)";
    }
    (!owners.is_empty() || ownership.due.is_some()).then_some(text)
}

/// The command that takes an option, as a shell takes it, with every field that the option needs.
pub(crate) fn command(view: SessionView<'_>, question: &Question, choice: &Choice) -> String {
    let (name, label) = (view.name, quoted(&choice.label));
    let mut line = view.command(&format!("answer {name} {} --option {label}", question.id));
    let fields = question.fields.iter();
    for field in fields.filter(|field| field.needed_for.contains(&choice.label)) {
        line += &format!(" {}", argument(field));
    }
    line
}

fn heading(screen: &Screen, question: &Question) -> Vec<String> {
    let severity = question
        .severity
        .map_or(String::new(), |severity| format!(" [{severity}]"));
    let mut lines = vec![
        String::new(),
        format!(
            "{} {}{}",
            screen.paint(Tone::Warn, format!("? {}", question.id)),
            screen.paint(Tone::Strong, plain::one_line(&question.title)),
            screen.paint(Tone::Warn, severity)
        ),
    ];
    let context = plain::markdown(question.context.trim());
    if !context.is_empty() {
        lines.extend(plain::wrapped(&context, screen.width(), "  "));
    }
    let of_agent = matches!(
        question.about,
        About::AgentCannotRun(_) | About::BrokenAgent(_)
    );
    if let Some(hint) = sign_in_hint(&question.context).filter(|_| of_agent) {
        lines.push(String::new());
        lines.extend(plain::wrapped(
            &format!("What to do: {hint}"),
            screen.width(),
            "  ",
        ));
    }
    lines.push(String::new());
    lines
}

fn recommended(screen: &Screen, choice: &Choice) -> String {
    match choice.recommended {
        true => format!(" {}", screen.paint(Tone::Good, "(recommended)")),
        false => String::new(),
    }
}

fn effect(screen: &Screen, choice: &Choice, indent: usize) -> Vec<String> {
    let indent = " ".repeat(indent);
    plain::wrapped(&plain::clean(&choice.effect), screen.width(), &indent)
        .into_iter()
        .map(|line| screen.paint(Tone::Faint, line))
        .collect()
}
