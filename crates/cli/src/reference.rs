//! The reference as markdown: every command with its arguments, and every key of the configuration. docs/reference.md is
//! this text; a test compares them.

use clap::{Arg, ArgAction, Command};
use gapless_domain::parameters::parameters;

use crate::output::wording::{in_parentheses, list};

/// The reference of a program whose definitions are built.
pub(crate) fn markdown(program: &Command) -> String {
    let mut text = format!(
        "# Reference\n\n\
         Made from the program by `gapless man --markdown`. What commands are for, how they go together and what their \
         exit codes mean is in [commands](commands.md).\n\n\
         ## Every command\n\n{}",
        options(program, |arg| arg.is_global_set() || is_of_program(arg))
    );
    text += "\n## Commands\n";
    for command in shown(program) {
        add_command(&mut text, command, "gapless");
    }
    text += "\n## Configuration keys\n\n\
             In `gapless.toml`, or with `--set KEY=VALUE`; the tables of that file are in [configuration](configuration.md).\n\n\
             | key | default | accepts | meaning |\n|---|---|---|---|\n";
    for parameter in parameters() {
        text += &format!(
            "| `{}` | {} | {} | {} |\n",
            parameter.key,
            cell(&parameter.default),
            cell(&parameter.accepts),
            cell(parameter.meaning)
        );
    }
    text
}

fn shown(command: &Command) -> impl Iterator<Item = &Command> {
    let all = command.get_subcommands();
    all.filter(|command| !command.is_hide_set())
}

/// Help and version, which only the whole program lists here.
fn is_of_program(arg: &Arg) -> bool {
    matches!(
        arg.get_action(),
        ArgAction::Help | ArgAction::HelpShort | ArgAction::HelpLong | ArgAction::Version
    )
}

fn add_command(text: &mut String, command: &Command, above: &str) {
    let name = format!("{above} {}", command.get_name());
    let about = command.get_long_about().or(command.get_about());
    let about = about.map(ToString::to_string).unwrap_or_default();
    let usage = command.clone().render_usage().to_string();
    let usage = usage.trim_start_matches("Usage: ");
    *text += &format!(
        "\n### `{name}`\n\n{}\n\n```text\n{usage}\n```\n",
        about.trim()
    );
    let options = options(command, |arg| !arg.is_global_set() && !is_of_program(arg));
    if !options.is_empty() {
        *text += &format!("\n{options}");
    }
    for below in shown(command) {
        add_command(text, below, &name);
    }
}

/// The table of a command's arguments and options; empty where it has none.
fn options(command: &Command, which: impl Fn(&Arg) -> bool) -> String {
    let all = command.get_arguments();
    let rows: Vec<String> = all
        .filter(|arg| !arg.is_hide_set() && which(arg))
        .map(row)
        .collect();
    match rows.is_empty() {
        true => String::new(),
        false => format!(
            "| argument | default | meaning |\n|---|---|---|\n{}\n",
            rows.join("\n")
        ),
    }
}

fn row(arg: &Arg) -> String {
    let (mut defaults, mut values) = (String::new(), String::new());
    if arg.get_action().takes_values() {
        let set = arg.get_default_values().iter();
        defaults = list(set.map(|value| format!("`{}`", value.to_string_lossy())));
        let possible = arg.get_possible_values();
        let shown = possible.iter().filter(|value| !value.is_hide_set());
        values = in_parentheses(shown.map(|value| format!("`{}`", value.get_name())));
    }
    let help = arg.get_long_help().or(arg.get_help());
    let mut meaning = help.map(ToString::to_string).unwrap_or_default() + &values;
    if let Some(variable) = arg.get_env() {
        meaning += &format!(
            "; the variable `{}` sets it too",
            variable.to_string_lossy()
        );
    }
    format!(
        "| `{}` | {} | {} |",
        cell(&spelled(arg)),
        cell(&defaults),
        cell(&meaning)
    )
}

/// The argument as it is written on the command line.
fn spelled(arg: &Arg) -> String {
    let short = arg.get_short().map(|short| format!("-{short}"));
    let long = arg.get_long().map(|long| format!("--{long}"));
    let names: Vec<String> = short.into_iter().chain(long).collect();
    let value = match arg.get_action().takes_values() {
        true => {
            let names = arg.get_value_names().unwrap_or_default();
            let names: Vec<&str> = names.iter().map(|name| name.as_str()).collect();
            Some(names.join(" "))
        }
        false => None,
    };
    let more = match arg.get_action() {
        ArgAction::Append => "…",
        _ => "",
    };
    match (names.is_empty(), value) {
        (true, Some(value)) if arg.is_required_set() => format!("<{value}>{more}"),
        (true, value) => format!("[{}]{more}", value.unwrap_or_default()),
        (false, Some(value)) => format!("{} <{value}>{more}", names.join(", ")),
        (false, None) => names.join(", "),
    }
}

/// A text in the form of a table cell.
fn cell(text: &str) -> String {
    let line = text.split_whitespace().collect::<Vec<_>>().join(" ");
    line.replace('|', "\\|")
}
