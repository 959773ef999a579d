//! Lists and names of enums: strum derives them, so that a variant is written once, and these give them their form.

/// Gives an enum that derives `strum::VariantArray` the list of its variants, `ALL`.
#[macro_export]
macro_rules! listed {
    ($enum:ident) => {
        impl $enum {
            pub const ALL: [$enum; <$enum as strum::VariantArray>::VARIANTS.len()] =
                match <$enum as strum::VariantArray>::VARIANTS.first_chunk() {
                    Some(all) => *all,
                    None => panic!("a list has as many entries as it is long"),
                };
        }
    };
}

/// The same, and `name` for an enum that derives `strum::IntoStaticStr`.
#[macro_export]
macro_rules! named {
    ($enum:ident) => {
        $crate::listed!($enum);

        impl $enum {
            pub fn name(self) -> &'static str {
                self.into()
            }
        }
    };
}

/// Stores a type as the text that it is shown as.
macro_rules! serde_as_string {
    ($($name:ty),*) => {$(
        impl serde::Serialize for $name {
            fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
                serializer.collect_str(self)
            }
        }

        impl<'de> serde::Deserialize<'de> for $name {
            fn deserialize<D: serde::Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
                <String as serde::Deserialize>::deserialize(deserializer)?
                    .parse()
                    .map_err(serde::de::Error::custom)
            }
        }
    )*};
}
pub(crate) use serde_as_string;

#[cfg(test)]
mod tests {
    use crate::convergence::DivergenceCause;
    use crate::{
        ArchiveChoice, Cause, Confidence, ConvergenceState, DecisionKind, DecisionState, End,
        FailureType, GapState, Heuristic, IssueState, RetryReason, RollbackMode, RollbackTrigger,
        Severity, Strictness,
    };

    macro_rules! is_stored_by_name {
        ($($enum:ident)*) => {$(
            for one in $enum::ALL {
                assert_eq!(serde_json::to_value(one).unwrap(), one.name());
            }
        )*};
    }

    #[test]
    fn people_read_the_names_that_are_stored() {
        is_stored_by_name!(ArchiveChoice Strictness ConvergenceState DivergenceCause DecisionKind DecisionState);
        is_stored_by_name!(Cause FailureType RetryReason Heuristic Confidence GapState IssueState End);
        is_stored_by_name!(RollbackMode RollbackTrigger Severity);
    }
}
