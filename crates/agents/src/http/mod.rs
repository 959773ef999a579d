//! The agents that are models behind an HTTP API. Nothing of such an agent runs on this machine: the prompt is sent,
//! and the text of the answer is the document.
//!
//! It stands on reqwest and not on a library of all vendors: how long a stream is silent, how much of it is held, and
//! whether it came to its own end must be seen in its bytes.

mod exchange;
mod failure;
mod gate;
mod lines;
mod message;
mod prices;
mod provider;
mod secret;
mod wire;

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Instant;

use gapless_domain::{
    AgentTraits, ExecutionError, ExecutionErrorKind, OutputNote, Unfinished, Usage, one_line,
};
use reqwest::redirect::Policy;

use crate::agent::cancelled;
use crate::estimate;
use crate::open_context::Opened;
use crate::{
    Agent, BoxFuture, Endpoint, Finished, OpenContext, Output, Patience, Reports, Request, Watch,
};
use exchange::Exchange;
use failure::shortened;
use message::{Ask, Heard, Stop, Told};
use provider::Provider;

pub use prices::Price;
pub use provider::{HttpSettings, NotOpened, ProviderSettings, Providers, RoleSettings};
pub(crate) use provider::{is_known, usual};
pub use wire::Style;

/// Opens the agent of a name like `openai:gpt-5`.
pub(crate) fn open(spec: &str, model: &str, context: &OpenContext) -> Opened {
    let provider = spec.split(':').next().unwrap_or("").trim();
    let model = model.trim();
    if model.is_empty() {
        let provider = provider.to_owned();
        return Err(NotOpened::NoModel { provider }.into());
    }
    Ok(Arc::new(HttpAgent::new(
        spec,
        model,
        context.providers.provider(provider)?,
        context.providers.clone(),
    )?))
}

#[derive(Debug)]
struct HttpAgent {
    name: String,
    model: String,
    provider: Provider,
    providers: Providers,
    client: reqwest::Client,
    price: Option<Price>,
    /// That nobody knows what it costs was said.
    said_priceless: AtomicBool,
}

impl HttpAgent {
    fn new(
        name: &str,
        model: &str,
        provider: Provider,
        providers: Providers,
    ) -> Result<Self, NotOpened> {
        // reqwest is built without a provider of its own. One that is already installed stays.
        rustls::crypto::ring::default_provider()
            .install_default()
            .ok();
        // A redirection would take the key along to wherever it points.
        let mut client = reqwest::Client::builder()
            .redirect(Policy::none())
            .user_agent(concat!("gapless/", env!("CARGO_PKG_VERSION")));
        if provider.is_here() {
            client = client.no_proxy();
        }
        let client = client.build().map_err(|error| NotOpened::NoClient {
            why: error.to_string(),
        })?;
        let agent = format!("{}:{model}", provider.name);
        Ok(Self {
            name: name.to_owned(),
            model: model.to_owned(),
            price: prices::price_of(&providers.settings().prices, &agent),
            provider,
            providers,
            client,
            said_priceless: AtomicBool::new(false),
        })
    }

    async fn carry_out(&self, request: Request, watch: Watch) -> Finished {
        // Waiting for one's turn is no work: neither its limits nor its time begin before it.
        let place = tokio::select! {
            biased;
            () = watch.cancel.cancelled() => return Finished::since(Instant::now(), Err(cancelled())),
            place = self.provider.gate.enter() => place,
        };
        let started = Instant::now();
        let parameters = self.providers.settings().roles.get(&request.task.slot.role);
        let posting = self.provider.style.post(&Ask {
            base: &self.provider.base,
            model: &self.model,
            prompt: &request.prompt,
            key: self.provider.key.as_ref(),
            temperature: parameters.and_then(|role| role.temperature.as_ref()),
            max_output_tokens: parameters.and_then(|role| role.max_output_tokens),
            is_vendor: self.provider.is_vendor,
        });
        let mut heard = Heard::new(request.limits.output_bytes);
        let mut asked = false;
        let mut exchange = Exchange {
            client: &self.client,
            provider: &self.provider,
            model: &self.model,
            request: &request,
            watch: &watch,
            patience: Patience::start(&request.limits),
            bytes: 0,
        };
        let ended = exchange.perform(posting, &mut heard, &mut asked).await;
        drop(place);

        let (told, is_whole) = (heard.told, ended.is_ok() && heard.over);
        let (stop, empty) = (heard.stop.take(), heard.text.is_empty());
        let refusal = std::mem::take(&mut heard.refusal);
        let silent_millis = exchange.patience.silent_millis();
        let (text, notes) = heard.text.into_text();
        let mut finished = Finished::since(started, Ok(Output::default()));
        if asked {
            let written = format!("{text}{refusal}");
            finished.usage = self
                .usage(told, is_whole, &request, written, finished.usage)
                .await;
            self.price(&mut finished.usage, &watch);
        }
        match ended {
            Ok(()) => {
                finished.unfinished = self.left_by_refusal(&text, &stop);
                finished.result = self.judge(text, notes, stop, &refusal);
            }
            Err(error) => {
                finished.result = Err(error);
                finished.unfinished = (!empty).then(|| Unfinished {
                    text: self.provider.hidden_in(text),
                    notes,
                    unchanged_millis: silent_millis,
                });
            }
        }
        finished
    }

    /// What is made of an answer that came to its end.
    fn judge(
        &self,
        text: String,
        mut notes: Vec<OutputNote>,
        stop: Option<Stop>,
        refusal: &str,
    ) -> Result<Output, ExecutionError> {
        match stop {
            Some(Stop::Declined(why)) => return Err(self.declined(&why, refusal, &text)),
            Some(Stop::Length) if !notes.contains(&OutputNote::OutputTruncated) => {
                notes.push(OutputNote::OutputTruncated);
            }
            _ => {}
        }
        let text = (!text.is_empty()).then(|| self.provider.hidden_in(text));
        Ok(Output {
            text,
            notes,
            ..Output::default()
        })
    }

    /// The error for an answer that the model or its provider refused, in its own words where it gave any.
    fn declined(&self, why: &str, refusal: &str, text: &str) -> ExecutionError {
        // A model that refuses by itself says so in its text; what a filter stopped is no reason.
        let said = match (refusal.trim(), why) {
            ("", "refusal") => text,
            (refusal, _) => refusal,
        };
        let said = match one_line(said) {
            said if said.is_empty() => said,
            said => format!(": {}", shortened(said.trim_end_matches('.'))),
        };
        let message = format!(
            "{} would not finish its answer ({why}){said}; change what is asked, or use another model",
            self.provider.name
        );
        let message = self.provider.hidden_in(message);
        ExecutionError::new(ExecutionErrorKind::Refused, message)
    }

    /// What a model had written before it refused.
    fn left_by_refusal(&self, text: &str, stop: &Option<Stop>) -> Option<Unfinished> {
        let refused = matches!(stop, Some(Stop::Declined(_))) && !text.trim().is_empty();
        refused.then(|| Unfinished {
            text: self.provider.hidden_in(text.to_owned()),
            notes: Vec::new(),
            unchanged_millis: 0,
        })
    }

    /// The tokens as the provider told them, and counted here where it did not, or did not come to tell them all.
    async fn usage(
        &self,
        told: Told,
        is_whole: bool,
        request: &Request,
        text: String,
        usage: Usage,
    ) -> Usage {
        let told_all = told.input.is_some() && told.output.is_some() && is_whole;
        let usage = Usage {
            input_tokens: told.input,
            output_tokens: told.output,
            cached_tokens: told.cached,
            estimated: !told_all,
            ..usage
        };
        match told_all {
            true => usage,
            false => estimate::completed(usage, &request.prompt, text).await,
        }
    }

    fn price(&self, usage: &mut Usage, watch: &Watch) {
        match self.price {
            Some(price) => usage.cost_micros = price.cost_micros(usage),
            None if !self.said_priceless.swap(true, Ordering::Relaxed) => {
                watch.notices.tell(format!(
                    "what {}:{} costs is not known; add it to [prices] of gapless.toml to have it counted",
                    self.provider.name, self.model
                ));
            }
            None => {}
        }
    }
}

impl Agent for HttpAgent {
    fn name(&self) -> &str {
        &self.name
    }

    fn reports(&self) -> Reports {
        Reports {
            tokens: true,
            cost: self.price.is_some(),
        }
    }

    fn traits(&self) -> Option<AgentTraits> {
        Some(AgentTraits {
            files: false,
            context_tokens: self.provider.context_tokens,
        })
    }

    fn endpoint(&self) -> Option<Endpoint> {
        Some(self.provider.endpoint())
    }

    fn run(&self, request: Request, watch: Watch) -> BoxFuture<'_, Finished> {
        Box::pin(self.carry_out(request, watch))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_agent_can_be_looked_at_without_its_key() {
        let providers = Providers::with_environment(HttpSettings::default(), |name| {
            name.ends_with("_API_KEY").then(|| "canary-1234".to_owned())
        });
        let provider = providers.provider("openai").unwrap();
        let agent = HttpAgent::new("openai:x", "x", provider, providers).unwrap();
        let shown = format!("{agent:?}{agent:#?}");
        assert!(
            shown.contains("[key]") && !shown.contains("canary"),
            "{shown}"
        );
    }
}
