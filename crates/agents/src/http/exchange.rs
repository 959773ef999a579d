//! One exchange with a provider: the request goes out, the answer comes in piece by piece, and the clock is kept.
//! Whatever ends it early lets go of the connection.

use std::future::Future;

use gapless_domain::ExecutionError;
use reqwest::header::CONTENT_TYPE;
use reqwest::{Client, Response};
use serde_json::Value;
use tokio::time::sleep_until;

use super::failure::{fault_of, refused, unreachable, unusable};
use super::lines::Documents;
use super::message::{Heard, Posting};
use super::provider::Provider;
use crate::agent::cancelled;
use crate::patience::{hard_timeout, idle_timeout};
use crate::{Patience, Progress, Request, Watch};

/// How much of an error's body is read.
const LONGEST_ERROR: usize = 64 * 1024;

/// A document may repeat the whole text, and a character of it may take six bytes in JSON.
const DOCUMENT_PER_TEXT: u64 = 6;
const DOCUMENT_BESIDE_TEXT: u64 = 64 * 1024;

pub(super) struct Exchange<'a> {
    pub(super) client: &'a Client,
    pub(super) provider: &'a Provider,
    pub(super) model: &'a str,
    pub(super) request: &'a Request,
    pub(super) watch: &'a Watch,
    pub(super) patience: Patience,
    pub(super) bytes: u64,
}

impl Exchange<'_> {
    /// Carries the exchange out. What was heard stays in `heard` also where it fails; the flag says whether the
    /// provider may have used anything: it was asked, and did not refuse.
    pub(super) async fn perform(
        &mut self,
        posting: Posting,
        heard: &mut Heard,
        asked: &mut bool,
    ) -> Result<(), ExecutionError> {
        let sending = self
            .client
            .post(posting.url)
            .headers(posting.headers)
            .header(CONTENT_TYPE, "application/json")
            .body(posting.body.to_string())
            .send();
        *asked = true;
        let response = self.patiently(sending).await?;
        let response = response.map_err(|error| {
            *asked = !error.is_connect();
            unreachable(self.provider, &error)
        })?;
        self.patience.heard();
        if !response.status().is_success() {
            *asked = false;
            return Err(self.fault(response).await);
        }
        self.read(response, heard).await
    }

    /// Waits for something, but not longer than the limits allow.
    async fn patiently<T>(&self, what: impl Future<Output = T>) -> Result<T, ExecutionError> {
        let limits = &self.request.limits;
        // What has come is taken before anything is called quiet, or a suspended gapless would blame its agent.
        tokio::select! {
            biased;
            () = self.watch.cancel.cancelled() => Err(cancelled()),
            () = sleep_until(self.patience.latest) => Err(hard_timeout(limits, "")),
            done = what => Ok(done),
            () = sleep_until(self.patience.quiet) => Err(idle_timeout(limits, "")),
        }
    }

    async fn chunk(
        &mut self,
        response: &mut Response,
    ) -> Result<Option<bytes::Bytes>, ExecutionError> {
        let chunk = self.patiently(response.chunk()).await?;
        let chunk = chunk.map_err(|error| {
            let broken = unreachable(self.provider, &error).message;
            let what = format!("was cut off in the middle of its answer ({broken})");
            unusable(self.provider, &what)
        })?;
        if let Some(chunk) = &chunk {
            self.patience.heard();
            self.bytes = self.bytes.saturating_add(chunk.len() as u64);
        }
        Ok(chunk)
    }

    /// The error that a failed answer tells of.
    async fn fault(&mut self, mut response: Response) -> ExecutionError {
        let (status, headers) = (response.status(), response.headers().clone());
        let mut body = Vec::new();
        while body.len() < LONGEST_ERROR {
            match self.chunk(&mut response).await {
                Ok(Some(chunk)) => body.extend_from_slice(&chunk),
                // The status says enough.
                Ok(None) | Err(_) => break,
            }
        }
        body.truncate(LONGEST_ERROR);
        let fault = fault_of(&headers, &body);
        refused(self.provider, self.model, Some(status), &fault)
    }

    async fn read(
        &mut self,
        mut response: Response,
        heard: &mut Heard,
    ) -> Result<(), ExecutionError> {
        let content_type = response.headers().get(CONTENT_TYPE);
        let content_type = content_type.and_then(|value| value.to_str().ok());
        let content_type = content_type.unwrap_or("no content type").to_owned();
        let longest = self
            .request
            .limits
            .output_bytes
            .saturating_mul(DOCUMENT_PER_TEXT)
            .saturating_add(DOCUMENT_BESIDE_TEXT);
        let longest = usize::try_from(longest).unwrap_or(usize::MAX);
        let mut documents = Documents::new(self.provider.style.framing(), longest);
        let mut any = false;
        loop {
            let chunk = match self.chunk(&mut response).await {
                // What is whole stays so, however the connection ends.
                Err(_) if heard.over && !self.watch.cancel.is_cancelled() => None,
                chunk => chunk?,
            };
            let at_end = chunk.is_none();
            documents.push(chunk.as_deref().unwrap_or_default());
            loop {
                let next = documents.next(at_end);
                let next =
                    next.map_err(|why| unusable(self.provider, &format!("can't be read: {why}")))?;
                let Some(document) = next else { break };
                any = true;
                self.take(&document, heard)?;
            }
            self.watch.progress.tell(Progress {
                bytes: self.bytes,
                tokens: Some(heard.told.output.unwrap_or(0).max(heard.estimate)),
            });
            // Behind its end nothing is waited for, and what is beyond the limit would only be paid for.
            if heard.closed || heard.text.is_cut() {
                return Ok(());
            }
            match (at_end, heard.over, any) {
                (false, ..) => {}
                (true, true, _) => return Ok(()),
                (true, false, true) => {
                    let what = "was cut off in the middle of its answer";
                    return Err(unusable(self.provider, what));
                }
                (true, false, false) => {
                    let what =
                        format!("answered with no stream ({content_type}); check the base URL");
                    return Err(unusable(self.provider, &what));
                }
            }
        }
    }

    fn take(&self, document: &str, heard: &mut Heard) -> Result<(), ExecutionError> {
        if document.trim() == "[DONE]" {
            (heard.over, heard.closed) = (true, true);
            return Ok(());
        }
        let value: Value = serde_json::from_str(document)
            .map_err(|error| unusable(self.provider, &format!("sent what is no JSON: {error}")))?;
        self.provider.style.read(&value, heard);
        match heard.fault.take() {
            Some(fault) => Err(refused(self.provider, self.model, None, &fault)),
            None => Ok(()),
        }
    }
}
