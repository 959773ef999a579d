//! The list of all kinds of questions. A new kind is an entry here and a file of the same name in the mediator.
//!
//! An entry names its kind and its module, which is what the kind is called in answers files, `--json` and the event log.
//! Then come what the answer acts on and its name, the options, the fields, and where the kind differs from the defaults
//! of [`Kind`](super::Kind).

/// Calls a macro with all kinds.
#[macro_export]
macro_rules! for_each_kind {
    ($callback:ident) => {
        $callback! {
            /// The inventory of gaps, before round 1.
            Inventory: inventory {
                subject {} named "inventory";
                options { Begin, Change, Pause, Abandon }
                fields { Drop, Severities, Add, Reason }
                const LISTS_INVENTORY: bool = true;
            }

            /// A gap for which the Engineer needs input that only the user has.
            BlockedGap: blocked_gap {
                subject { gap: GapId } named gap;
                options { Input, Defer, Another, GoOn, Unanswered }
                fields { Input, Reason }
            }

            /// A role that has no valid output after its retries.
            Escalation: escalation {
                subject { slot: SlotId } named slot.role.stem();
                options { Skip, Reassign, Context, Narrow, Best, RollBack, Pause }
                fields { Context, Gaps }
                fn slot(&self) -> Option<SlotId> {
                    Some(self.slot)
                }
            }

            /// An agent that cannot run.
            AgentCannotRun: agent_cannot_run {
                subject { slot: SlotId } named slot.role.stem();
                options { Again, Another, Pause }
                fields { Agent }
                fn slot(&self) -> Option<SlotId> {
                    Some(self.slot)
                }
            }

            /// An agent that failed the same way in every attempt of two rounds in a row.
            BrokenAgent: broken_agent {
                subject { slot: SlotId } named slot.role.stem();
                options { Again, Another, GoOn, Stop, Pause }
                fields { Agent }
                fn slot(&self) -> Option<SlotId> {
                    Some(self.slot)
                }
            }

            /// A round in which neither role produced anything, although there is something to do.
            BothEmpty: both_empty {
                subject { round: u32 } named format!("round {round}");
                options { Retry, Human, Defer, Close, GoOn, Pause, Abandon }
                fields { Gaps, Reason }
            }

            /// An issue on which Engineer and Reviewer disagree.
            Conflict: conflict {
                subject { issue: IssueId } named issue;
                options { A = "A", B = "B", C = "C", D = "D" }
                fields { Text, Rationale, Constraints }
                fn conflicts(&self) -> &[IssueId] {
                    std::slice::from_ref(&self.issue)
                }
            }

            /// Several MEDIUM and LOW conflicts, answered in one go.
            LesserConflicts: lesser_conflicts {
                subject { issues: Vec<IssueId> } named comma_list(issues);
                options { A = "A", B = "B", Each }
                fields { Rationale }
                fn conflicts(&self) -> &[IssueId] {
                    &self.issues
                }
            }

            /// A review that raises again what the user settled.
            DecidedMatter: decided_matter {
                subject {
                    issue: IssueId,
                    /// The words in which it is raised now.
                    raised: Box<Concern>,
                } named issue;
                options { Keep, Change }
                fields NoFields
                const IS_AWAITED_BEFORE_END: bool = true;
            }

            /// A proposal that says what a decision turned down.
            Contradiction: contradiction {
                subject { gap: GapId, decision: DecisionId } named gap;
                options { Revise, Fits, Change }
                fields { Reason }
            }

            /// A round in which the Engineer disagrees with too much.
            RateLimit: rate_limit {
                subject { round: u32 } named format!("round {round}");
                options { Accept, Revise, Review, Scope, Pause }
                fields { Justification, Severities, Reason, Scope }
                const LISTS_INVENTORY: bool = true;
            }

            /// An issue that the Engineer may have passed over.
            ImplicitDisagreement: implicit_disagreement {
                subject { issue: IssueId } named issue;
                options { Settled, Again, Convert, Waive, Clarify, FalsePositive }
                fields { Text }
                const IS_AWAITED_BEFORE_END: bool = true;
                fn flagged(&self) -> &[IssueId] {
                    std::slice::from_ref(&self.issue)
                }
            }

            /// A concern that is passed over again and again.
            SystematicConcern: systematic_concern {
                subject { issues: Vec<IssueId> } named comma_list(issues);
                options { Approach, Specify, Close, Disagree, FalsePositive }
                fields { Text }
                const IS_AWAITED_BEFORE_END: bool = true;
                fn flagged(&self) -> &[IssueId] {
                    &self.issues
                }
            }

            /// What only the user settles: defaults of one group, or an issue that asks for the user.
            Defaults: defaults {
                subject { group: String, issues: Vec<IssueId> } named group;
                options { Confirm, Own, Defer, Close }
                fields { Gaps, Text, Reason }
            }

            /// A gap or an issue on it that the Reviewer calls graver than the user set it to.
            Severity: severity {
                subject {
                    gap: GapId,
                    #[serde(default, skip_serializing_if = "Option::is_none")]
                    issue: Option<IssueId>,
                    raise_to: Severity,
                } named issue.as_ref().map_or_else(|| gap.to_string(), IssueId::to_string);
                options { Keep, Raise }
                fields NoFields
            }

            /// A round that ended with a divergence warning.
            Divergence: divergence {
                subject { round: u32 } named format!("round {round}");
                options { Narrow, Accept, Prioritise, RollBack, Pause, ForceComplete, Abandon }
                fields { Gaps, Reason }
                const LISTS_INVENTORY: bool = true;
            }

            /// A round for which no gap can be planned, although the spec is not complete.
            NothingToPlan: nothing_to_plan {
                subject { round: u32 } named format!("round {round}");
                options { Resume, Input, Unblock, Close, Stop, Pause, Abandon }
                fields { Gaps, Text }
                const LISTS_INVENTORY: bool = true;
            }

            /// The round limit.
            RoundLimit: round_limit {
                subject { round: u32 } named format!("round {round}");
                options { Extend, Accept, Pause, Abandon, ForcedStop }
                fields NoFields
                const LISTS_INVENTORY: bool = true;
            }

            /// Where to go back to, and how to go on from there.
            Rollback: rollback {
                subject { round: u32, trigger: RollbackTrigger } named format!("round {round}");
                options { Retry, Narrow, Context, Skip, Cancel }
                fields { To, Reason, Gaps, Adjust }
            }

            /// A round that was undone again: what may be behind it, and what to do.
            RootCause: root_cause {
                subject { round: u32 } named format!("round {round}");
                options { Split, Context, Reassign, Force, Retry, Pause }
                fields { Gap, Parts, Context, Gaps }
            }

            /// A session that has no rollback left.
            RollbackLimit: rollback_limit {
                subject { round: u32 } named format!("round {round}");
                options { Pause, Accept, Abandon, GoOn }
                fields NoFields
            }

            /// Decisions of undone rounds, which can be kept.
            UndoneDecisions: undone_decisions {
                subject { decisions: Vec<DecisionId> } named comma_list(decisions);
                options { Leave, All, Some, Edit, Pause }
                fields { Decisions, Text }
            }

            /// The archives of an ended session.
            Archives: archives {
                subject {} named "archives";
                options ArchiveChoice
                fields NoFields
            }

            /// The gate before an end with gaps left.
            Stop: stop {
                subject { end: End, trigger: Trigger } named end;
                options { Accept, Continue, Pause, Abandon }
                fields { Critical, High }
                const LISTS_INVENTORY: bool = true;
                const ACCEPTS_WHAT_IT_LISTS: &[Options] = &[Options::Accept];
            }
        }
    };
}
