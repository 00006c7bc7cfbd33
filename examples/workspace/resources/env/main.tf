terraform {
  required_providers {
    workspace = {
      source = "trivet.local/trivet/workspace"
    }
  }
}

# #region
resource "workspace_agent" "main" {
  os   = "linux"
  arch = "amd64"
}

resource "workspace_env" "path" {
  agent_id       = workspace_agent.main.id
  name           = "PATH"
  value          = "/opt/tools/bin"
  merge_strategy = "prepend"
}
# #endregion

resource "terraform_data" "machine" {
  input = {
    init_script = workspace_agent.main.init_script
  }
}
