//! What was asked: which API, and everything that a test may want to see of a request.

use serde_json::Value;

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Api {
    AnthropicMessages,
    OpenAiChat,
    OpenAiResponses,
    Gemini,
    Ollama,
}

/// A request as it came.
#[derive(Debug, Clone)]
pub struct Recorded {
    /// `None` where it is for no model: a list of models, a count of tokens, a version.
    pub api: Option<Api>,
    pub method: String,
    pub path: String,
    pub query: String,
    /// Names in lower case.
    pub headers: Vec<(String, String)>,
    pub body: Value,
}

impl Recorded {
    pub fn header(&self, name: &str) -> Option<&str> {
        let mut headers = self.headers.iter();
        let found = headers.find(|(known, _)| known.eq_ignore_ascii_case(name));
        found.map(|(_, value)| value.as_str())
    }

    /// The model that is asked.
    pub fn model(&self) -> String {
        if self.api == Some(Api::Gemini) {
            let behind = self.path.rsplit_once("/models/").map(|(_, rest)| rest);
            let model = behind.and_then(|rest| rest.split(':').next());
            return model.unwrap_or("").to_owned();
        }
        self.body["model"].as_str().unwrap_or("").to_owned()
    }

    /// True where the answer is to come piece by piece.
    pub fn streams(&self) -> bool {
        match self.api {
            Some(Api::Gemini) => self.path.ends_with(":streamGenerateContent"),
            Some(Api::Ollama) => self.body["stream"].as_bool().unwrap_or(true),
            _ => self.body["stream"].as_bool().unwrap_or(false),
        }
    }

    /// What the user says in it, all messages together.
    pub fn prompt(&self) -> String {
        let body = &self.body;
        let messages = match self.api {
            Some(Api::OpenAiResponses) => &body["input"],
            Some(Api::Gemini) => &body["contents"],
            _ => &body["messages"],
        };
        let mut texts = Vec::new();
        match messages {
            Value::String(text) => texts.push(text.clone()),
            Value::Array(messages) => {
                let of_user = |message: &&Value| message["role"].as_str() == Some("user");
                for message in messages.iter().filter(of_user) {
                    gather(&message["content"], &mut texts);
                    gather(&message["parts"], &mut texts);
                }
            }
            _ => {}
        }
        texts.join("\n\n")
    }
}

fn gather(content: &Value, texts: &mut Vec<String>) {
    match content {
        Value::String(text) => texts.push(text.clone()),
        Value::Array(parts) => {
            let found = parts.iter().filter_map(|part| part["text"].as_str());
            texts.extend(found.map(str::to_owned));
        }
        _ => {}
    }
}

pub(crate) fn api_of(path: &str) -> Option<Api> {
    let apis = [
        ("/messages", Api::AnthropicMessages),
        ("/chat/completions", Api::OpenAiChat),
        ("/responses", Api::OpenAiResponses),
        (":generateContent", Api::Gemini),
        (":streamGenerateContent", Api::Gemini),
        ("/api/chat", Api::Ollama),
    ];
    let mut apis = apis.into_iter();
    apis.find(|(end, _)| path.ends_with(end))
        .map(|(_, api)| api)
}
