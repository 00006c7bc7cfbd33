terraform {
  required_providers {
    workspace = {
      source = "trivet.local/trivet/workspace"
    }
  }
}

# #region
resource "workspace_agent" "laptop" {
  os   = "darwin"
  arch = "arm64"
}

resource "workspace_external_agent" "external" {
  agent_id = workspace_agent.laptop.id
}
# #endregion
