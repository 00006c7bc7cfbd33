terraform {
  required_providers {
    workspace = {
      source = "trivet.local/trivet/workspace"
    }
  }
}

# #region
data "workspace_external_auth" "forge" {
  id       = "forge"
  optional = true
}
resource "workspace_agent" "main" {
  os   = "linux"
  arch = "amd64"

  env = {
    FORGE_TOKEN = data.workspace_external_auth.forge.access_token
  }
}
# #endregion

resource "terraform_data" "machine" {
  input = {
    init_script = workspace_agent.main.init_script
  }
}
