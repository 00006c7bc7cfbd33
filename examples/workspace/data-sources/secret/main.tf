terraform {
  required_providers {
    workspace = {
      source = "trivet.local/trivet/workspace"
    }
  }
}

# #region
data "workspace_secret" "npm" {
  env          = "NPM_TOKEN"
  help_message = "Create a token at https://npm.example.com and store it as NPM_TOKEN."
}
resource "workspace_agent" "main" {
  os   = "linux"
  arch = "amd64"

  env = {
    NPM_TOKEN = data.workspace_secret.npm.value
  }
}
# #endregion

resource "terraform_data" "machine" {
  input = {
    init_script = workspace_agent.main.init_script
  }
}
