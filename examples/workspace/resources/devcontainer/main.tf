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

resource "workspace_devcontainer" "web" {
  agent_id         = workspace_agent.main.id
  workspace_folder = "/home/dev/web"
  config_path      = "/home/dev/web/.devcontainer/devcontainer.json"
}
# #endregion

resource "terraform_data" "machine" {
  input = {
    init_script = workspace_agent.main.init_script
  }
}
