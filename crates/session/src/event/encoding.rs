//! Events as they are stored: each with a type and a version; what an older version wrote is lifted here when it is read.

use serde::de::IgnoredAny;
use serde_json::Value;

use super::Happening;

/// The version that this program writes, of every event type.
pub const EVENT_VERSION: u32 = 1;

/// An event as it is stored: its type, its version and its body as JSON.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Encoded {
    pub type_name: String,
    pub version: u32,
    pub body: String,
}

/// Why a stored event can't be understood.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum DecodeError {
    #[error(
        "event `{type_name}` has version {version}, and this program knows versions up to {EVENT_VERSION}"
    )]
    Newer { type_name: String, version: u32 },
    #[error("event `{type_name}` is not known to this program")]
    UnknownType { type_name: String },
    #[error("event `{type_name}` cannot be read: {why}")]
    Malformed { type_name: String, why: String },
}

impl Happening {
    /// Encodes for storage: `gap.moved`, version, and the fields as JSON.
    pub fn encode(&self) -> Encoded {
        // `{"gap":{"moved":{…}}}`
        let whole = serde_json::to_string(self).unwrap_or_default();
        let parts = whole.strip_prefix("{\"").and_then(|rest| {
            let (owner, rest) = rest.split_once("\":{\"")?;
            let (event, body) = rest.split_once("\":")?;
            Some((owner, event, body.strip_suffix("}}")?))
        });
        let (owner, event, body) = parts.unwrap_or_default();
        Encoded {
            type_name: format!("{owner}.{event}"),
            version: EVENT_VERSION,
            body: body.to_owned(),
        }
    }

    /// Reads what was stored, lifting older versions.
    pub fn decode(type_name: &str, version: u32, body: &str) -> Result<Self, DecodeError> {
        if version > EVENT_VERSION {
            return Err(DecodeError::Newer {
                type_name: type_name.to_owned(),
                version,
            });
        }
        let malformed = |why: String| DecodeError::Malformed {
            type_name: type_name.to_owned(),
            why,
        };
        // By itself first: what stands around it below must not make anything else of it.
        serde_json::from_str::<IgnoredAny>(body).map_err(|error| malformed(error.to_string()))?;
        let (owner, event) = type_name
            .split_once('.')
            .ok_or_else(|| malformed("no owner".to_owned()))?;
        let whole = format!("{{{}:{{{}:{body}}}}}", quoted(owner), quoted(event));
        serde_json::from_str(&whole).map_err(|error| {
            let why = error.to_string();
            if why.contains("unknown variant") {
                DecodeError::UnknownType {
                    type_name: type_name.to_owned(),
                }
            } else {
                malformed(why)
            }
        })
    }
}

fn quoted(name: &str) -> String {
    Value::from(name).to_string()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::event::{GapEvent, SessionEvent};
    use gapless_domain::gap::{GapMove, GapState};
    use gapless_domain::ids::GapId;

    #[test]
    fn events_are_typed_by_owner_and_read_back() {
        let happening = Happening::Gap(GapEvent::Moved {
            id: GapId::new("FLOW", 1).unwrap(),
            by: GapMove::Assign,
            from: GapState::Open,
            to: GapState::InProgress,
            reason: None,
        });
        let encoded = happening.encode();
        assert_eq!(encoded.type_name, "gap.moved");
        assert_eq!(
            encoded.body,
            r#"{"id":"GAP-FLOW-001","by":"assign","from":"OPEN","to":"IN_PROGRESS"}"#
        );
        assert_eq!(
            Happening::decode("gap.moved", 1, &encoded.body),
            Ok(happening)
        );
        let paused = Happening::Session(SessionEvent::Paused {});
        assert_eq!(
            Happening::decode("session.paused", 1, &paused.encode().body),
            Ok(paused)
        );
    }

    #[test]
    fn what_cannot_be_read_is_told_apart() {
        assert!(matches!(
            Happening::decode("gap.moved", 2, "{}"),
            Err(DecodeError::Newer { .. })
        ));
        assert!(matches!(
            Happening::decode("gap.danced", 1, "{}"),
            Err(DecodeError::UnknownType { .. })
        ));
        assert!(matches!(
            Happening::decode("gap.moved", 1, "{}"),
            Err(DecodeError::Malformed { .. })
        ));
        for body in ["{", "", "{}}}", "{}},\"session\":{\"paused\":{}", "{} {}"] {
            assert!(matches!(
                Happening::decode("session.paused", 1, body),
                Err(DecodeError::Malformed { .. })
            ));
        }
    }
}
