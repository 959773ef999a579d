//! The start of a session, and what is met when it is taken up again.

use std::collections::BTreeMap;

use super::{Refusal, Result, Turn};
use crate::prompts::check_template;
use gapless_domain::config::LARGEST_SOURCE_BYTES;
use gapless_domain::{
    About, AgentTraits, Config, Delivered, Delivery, End, GapId, Heuristic, Limits, Origin, Role,
    ScanFinding, ScannedWith, TextHash,
};
use gapless_markdown::Document;
use gapless_reading::read::{declared_gaps, traced_gaps};
use gapless_session::event::Setup;
use gapless_session::{SessionEvent, spending};

#[derive(Debug, Clone)]
pub struct Start {
    pub name: String,
    pub source_path: String,
    pub source: String,
    /// What the scan found in the source, in order of place.
    pub found: Vec<ScanFinding>,
    pub met: RunSettings,
}

/// What a session runs with, as the caller found it.
#[derive(Debug, Clone, Default)]
pub struct RunSettings {
    pub config: Config,
    /// The agent of each role; no Analyst means that only declared gaps are taken.
    pub agents: BTreeMap<Role, String>,
    /// Prompt templates of the workspace, by name.
    pub prompts: BTreeMap<String, String>,
    /// Canonical examples of the session. An empty one stands for none.
    pub examples: BTreeMap<Role, String>,
    /// Heuristics that only advise in this workspace.
    pub advisory: Vec<Heuristic>,
    /// The hash of the source file as it is now, where it could be read.
    pub source_now: Option<TextHash>,
    /// Where the refined spec is wanted; none leaves it as it was.
    pub delivery: Option<Delivery>,
    /// Agents that take over from one that cannot run, in this order.
    pub fallback: Vec<String>,
    /// The folder of the code base that the spec is for, where agents find it.
    pub repo: Option<String>,
    /// What prompts must know of each agent, by its name.
    pub traits: BTreeMap<String, AgentTraits>,
    /// What the source was scanned with; nothing where it wasn't. It counts at the start only.
    pub scanned_with: Option<ScannedWith>,
}

impl Turn<'_> {
    pub(super) fn start(&mut self, start: Start) -> Result<()> {
        if self.state.is_started() {
            return Err(Refusal::AlreadyStarted);
        }
        if start.source.trim().is_empty() {
            return Err(Refusal::EmptySource);
        }
        if start.source.len() > LARGEST_SOURCE_BYTES {
            return Err(Refusal::SourceTooLarge {
                megabytes: start.source.len().div_ceil(1024 * 1024),
                most: LARGEST_SOURCE_BYTES / (1024 * 1024),
            });
        }
        for role in [Role::Engineer, Role::Reviewer] {
            if !start.met.agents.contains_key(&role) {
                return Err(Refusal::NoAgent(role));
            }
        }
        let document = Document::parse(&start.source);
        let declared = declared_gaps(&document);
        let mut first_seen: BTreeMap<&GapId, u32> = BTreeMap::new();
        for gap in &declared {
            if let Some(first) = first_seen.insert(&gap.id, gap.line) {
                return Err(Refusal::DuplicateGap {
                    gap: gap.id.clone(),
                    first,
                    second: gap.line,
                });
            }
        }
        // Whatever is declared gets its own id, but for parts: only a split makes these, so theirs are given to nobody.
        let mut taken = traced_gaps(&start.source);
        taken.extend(first_seen.keys().copied().cloned());
        taken.retain(|gap| gap.child().is_some() || !first_seen.contains_key(gap));
        let setup = self.setup(&start.met)?;
        let source = self.keep_text(&start.source);
        // The same spec under the same name runs the same way: the seed is made of nothing else.
        let seed = TextHash::of(&format!("{}\n{source}", start.name)).seed();
        self.session(SessionEvent::Started {
            name: start.name,
            source_path: start.source_path,
            source,
            seed,
            taken,
        });
        self.session(SessionEvent::Configured {
            setup: Box::new(setup),
        });
        for gap in &declared {
            let origin = Origin::Source { line: gap.line };
            self.create_declared(gap, origin, "source.md")?;
        }
        self.take_scan(&start.found)?;
        if self.state.kept.setup.agents.contains_key(&Role::Analyst) {
            self.open_slot(Role::Analyst, Vec::new());
        }
        // A budget of nothing is used up before anything was.
        self.look_at_budget(true);
        Ok(())
    }

    /// Logs what changed outside the log since the session last ran.
    pub(super) fn configure(&mut self, met: RunSettings) -> Result<()> {
        let setup = self.setup(&met)?;
        if setup != self.state.kept.setup {
            let before = self.state.kept.setup.config.clone();
            let within_budget = spending::spent(&self.state).is_none();
            self.session(SessionEvent::Configured {
                setup: Box::new(setup),
            });
            self.renew_limits(&before);
            if self.state.kept.ended.is_none() {
                self.look_at_budget(within_budget);
            }
        }
        if let Some(found) = met.source_now
            && !self.state.known_specs().contains(&found)
            && Some(found) != self.state.kept.source_seen
        {
            self.session(SessionEvent::SourceChangeSeen { found });
        }
        Ok(())
    }

    /// Limits that were fixed with the inventory change where the user now names them.
    pub(super) fn renew_limits(&mut self, before: &Config) {
        let Some(old) = self.state.kept.limits else {
            return;
        };
        let config = &self.state.kept.setup.config;
        let earlier = self.state.rounds_before_chapter();
        let named = |now: Option<u32>, then: Option<u32>, kept: u32| match now {
            Some(value) if now != then => value,
            _ => kept,
        };
        let limits = Limits {
            stall_threshold: named(
                config.stall_threshold,
                before.stall_threshold,
                old.stall_threshold,
            ),
            divergence_threshold: named(
                config.divergence_threshold,
                before.divergence_threshold,
                old.divergence_threshold,
            ),
            max_rounds: named(
                config.max_rounds.map(|named| earlier.saturating_add(named)),
                before.max_rounds.map(|named| earlier.saturating_add(named)),
                old.max_rounds,
            )
            .min(self.state.hard_limit()),
        };
        if limits != old {
            let initial_gaps = self.state.kept.initial_gaps;
            self.session(SessionEvent::LimitsSet {
                limits,
                initial_gaps,
            });
            // A question that the old limit asked is asked anew, if the new one still asks it.
            self.withdraw_to_renew(
                |question| matches!(question.about, About::RoundLimit { .. }),
                "the limit was changed",
            );
        }
    }

    fn setup(&mut self, met: &RunSettings) -> Result<Setup> {
        met.config.check()?;
        let mut prompts = BTreeMap::new();
        for (name, template) in &met.prompts {
            check_template(name, template)?;
            prompts.insert(name.clone(), self.keep_text(template));
        }
        let examples = met
            .examples
            .iter()
            .map(|(role, text)| (*role, self.keep_text(text)))
            .collect();
        Ok(Setup {
            config: met.config.clone(),
            agents: met.agents.clone(),
            prompts,
            advisory: met.advisory.clone(),
            delivery: met
                .delivery
                .clone()
                .or_else(|| self.state.kept.setup.delivery.clone()),
            examples,
            fallback: met.fallback.clone(),
            repo: met.repo.clone(),
            traits: met.traits.clone(),
            scanned_with: match self.state.is_started() {
                true => self.state.kept.setup.scanned_with.clone(),
                false => met.scanned_with.clone(),
            },
        })
    }

    pub(super) fn keep_edit(&mut self, path: String, kept_as: String) {
        self.session(SessionEvent::EditKept { path, kept_as });
    }

    /// Takes where the refined spec is wanted. Asked again after the end, it is written again.
    pub(super) fn want_delivery(&mut self, delivery: Delivery) -> Result<()> {
        let ended = self.state.kept.ended.map(|(end, _)| end);
        if ended == Some(End::Abandoned) {
            return Err(Refusal::NoRefinedSpec);
        }
        let mut setup = self.state.kept.setup.clone();
        if ended.is_some() || setup.delivery.as_ref() != Some(&delivery) {
            setup.delivery = Some(delivery);
            self.session(SessionEvent::Configured {
                setup: Box::new(setup),
            });
        }
        Ok(())
    }

    /// Logs what came of writing the refined spec, unless that was not to be done or the log says so already.
    pub(super) fn note_delivery(&mut self, delivered: Delivered) {
        let state = &self.state;
        let is_due = state.delivery_due().is_some() || state.delivery_so_far().is_some();
        if !is_due || self.state.kept.delivered.as_ref() == Some(&delivered) {
            return;
        }
        self.session(match delivered {
            Delivered::Written { path, backup, text } => {
                SessionEvent::SpecWritten { path, backup, text }
            }
            Delivered::Failed { path, why } => SessionEvent::SpecNotWritten { path, why },
        });
    }
}
