//! The opening of agents by the names that users give them.

use std::collections::BTreeMap;
use std::sync::Arc;

use gapless_agents::{Agent, OpenContext, OpenError, open};

/// Finds the agent of a name.
pub trait AgentSource: Send {
    fn agent(&mut self, name: &str) -> Result<Arc<dyn Agent>, OpenError>;
}

/// Opens agents as the command line names them, each once. Some may be given from the start.
pub struct Opener {
    context: OpenContext,
    opened: BTreeMap<String, Arc<dyn Agent>>,
}

impl Opener {
    pub fn new(context: OpenContext) -> Self {
        Self {
            context,
            opened: BTreeMap::new(),
        }
    }

    /// Puts an agent under a name, so that it need not be opened.
    pub fn with(mut self, name: &str, agent: Arc<dyn Agent>) -> Self {
        self.opened.insert(name.to_owned(), agent);
        self
    }
}

impl AgentSource for Opener {
    fn agent(&mut self, name: &str) -> Result<Arc<dyn Agent>, OpenError> {
        if let Some(agent) = self.opened.get(name) {
            return Ok(Arc::clone(agent));
        }
        let agent = open(name, &self.context)?;
        self.opened.insert(name.to_owned(), Arc::clone(&agent));
        Ok(agent)
    }
}
