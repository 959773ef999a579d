//! Markdown: a document parsed into headings, items, tables, blocks and prose with their places; fences; and text of
//! others made harmless where it is shown.

mod document;
mod fences;
mod inert;
mod leaves;
mod passages;
mod spans;
mod visible;

pub use document::{Document, Heading, Item, TableRow};
pub use fences::{FenceLine, fence_lines, fences_left_open, open_fence};
pub use inert::{inert, without_scripts};
pub use leaves::{Block, BlockKind, Link};
pub use passages::{Passage, PassageKind};
pub use spans::{blank, last_at, starting_in, without_byte_order_mark};
pub use visible::{is_deceptive, visible};
