//! What a key of the configuration is made of: the values that it takes, its range and its words. [`keys`] makes everything
//! else of them; the keys themselves are in `config`.

use strum::VariantNames;

use crate::{Money, RollbackMode, Span};

/// What is known of a key.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Key {
    pub name: &'static str,
    pub accepts: Accepts,
    /// The least and the most that its number may be.
    pub range: Option<(u64, u64)>,
    /// The default in words, where it is no value.
    pub default: Option<&'static str>,
    pub meaning: &'static str,
}

impl Key {
    pub(crate) fn check(&self, value: Option<u64>) -> Result<(), OutOfRange> {
        match (value, self.range) {
            (Some(value), Some((least, most))) if !(least..=most).contains(&value) => {
                Err(OutOfRange {
                    key: self.name,
                    value,
                    least,
                    most,
                })
            }
            _ => Ok(()),
        }
    }
}

/// A value outside its range.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("`{key}` is {value}; it must be from {least} to {most}")]
pub struct OutOfRange {
    pub key: &'static str,
    pub value: u64,
    pub least: u64,
    pub most: u64,
}

/// The values that a key takes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Accepts {
    Number,
    Switch,
    OneOf(&'static [&'static str]),
    Texts,
    Money,
    Span,
}

/// A type of values of the configuration.
pub(crate) trait Value {
    const ACCEPTS: Accepts;

    /// The number that a range is checked against.
    fn number(&self) -> Option<u64> {
        None
    }

    /// True where it is left out, and stands in no file.
    fn is_left_out(&self) -> bool {
        false
    }
}

impl Value for u32 {
    const ACCEPTS: Accepts = Accepts::Number;

    fn number(&self) -> Option<u64> {
        Some(u64::from(*self))
    }
}

impl Value for u64 {
    const ACCEPTS: Accepts = Accepts::Number;

    fn number(&self) -> Option<u64> {
        Some(*self)
    }
}

impl<V: Value> Value for Option<V> {
    const ACCEPTS: Accepts = V::ACCEPTS;

    fn number(&self) -> Option<u64> {
        self.as_ref().and_then(V::number)
    }

    fn is_left_out(&self) -> bool {
        self.is_none()
    }
}

impl Value for bool {
    const ACCEPTS: Accepts = Accepts::Switch;
}

impl Value for RollbackMode {
    const ACCEPTS: Accepts = Accepts::OneOf(RollbackMode::VARIANTS);
}

impl Value for Vec<String> {
    const ACCEPTS: Accepts = Accepts::Texts;
}

impl Value for Money {
    const ACCEPTS: Accepts = Accepts::Money;
}

impl Value for Span {
    const ACCEPTS: Accepts = Accepts::Span;
}

/// Makes `Config`, its defaults and its checks of entries: `name: Type = default, in least..=most, said "the default in words"
/// => "meaning";`. The range is for numbers, the words are for a default that is no value.
macro_rules! keys {
    ($($name:ident: $type:ty = $default:expr $(, in $least:literal..=$most:literal)? $(, said $said:literal)?
        => $meaning:literal;)*) => {
        /// What the user can set. `None` means: none, or what follows from the initial inventory.
        #[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
        #[serde(default, deny_unknown_fields)]
        pub struct Config {
            $(
                #[doc = $meaning]
                #[serde(skip_serializing_if = "crate::setting::Value::is_left_out")]
                pub $name: $type,
            )*
        }

        impl Default for Config {
            fn default() -> Self {
                Self { $($name: $default,)* }
            }
        }

        impl Config {
            /// The names of all keys, for error messages.
            pub const KEYS: [&str; [$(stringify!($name)),*].len()] = [$(stringify!($name)),*];

            /// What is known of each key, in the same order.
            pub const DEFINITIONS: [Key; Self::KEYS.len()] = [$(
                Key {
                    name: stringify!($name),
                    accepts: <$type as $crate::setting::Value>::ACCEPTS,
                    range: optional!($(($least, $most))?),
                    default: optional!($($said)?),
                    meaning: $meaning,
                },
            )*];

            /// Checks every value against its range.
            pub fn check(&self) -> Result<(), OutOfRange> {
                let values = [$($crate::setting::Value::number(&self.$name)),*];
                let mut all = Self::DEFINITIONS.iter().zip(values);
                all.try_for_each(|(key, value)| key.check(value))
            }
        }
    };
}

/// `Some` of what stands there, or `None`.
macro_rules! optional {
    () => {
        None
    };
    ($value:expr) => {
        Some($value)
    };
}

pub(crate) use {keys, optional};
