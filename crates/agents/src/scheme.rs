//! The forms in which agents are named that are no presets.

/// The first word of an agent's name, and what it stands for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Scheme {
    Human,
    Offline,
    Replay,
    Command,
    Anthropic,
    OpenAi,
    Gemini,
    Ollama,
}

impl Scheme {
    pub(crate) const ALL: [Scheme; 8] = [
        Scheme::Human,
        Scheme::Offline,
        Scheme::Replay,
        Scheme::Command,
        Scheme::Anthropic,
        Scheme::OpenAi,
        Scheme::Gemini,
        Scheme::Ollama,
    ];

    /// How an agent of this scheme is written; one without a colon takes nothing behind its name.
    pub(crate) fn form(self) -> &'static str {
        match self {
            Scheme::Human => "human",
            Scheme::Offline => "offline",
            Scheme::Replay => "replay:<folder>",
            Scheme::Command => "cmd:<command line>",
            Scheme::Anthropic => "anthropic:<model>",
            Scheme::OpenAi => "openai:<model>",
            Scheme::Gemini => "gemini:<model>",
            Scheme::Ollama => "ollama:<model>",
        }
    }

    pub(crate) fn name(self) -> &'static str {
        let form = self.form();
        form.split_once(':').map_or(form, |(name, _)| name)
    }

    /// True where something must follow the name, after a colon.
    pub(crate) fn takes_more(self) -> bool {
        self.form().contains(':')
    }

    pub(crate) fn named(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|scheme| scheme.name() == name)
    }
}

/// True where no preset may have this name.
pub(crate) fn is_taken(name: &str) -> bool {
    Scheme::named(name).is_some() || matches!(name, "auto" | "none")
}
