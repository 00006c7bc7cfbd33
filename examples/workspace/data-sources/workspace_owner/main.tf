terraform {
  required_providers {
    workspace = {
      source = "trivet.local/trivet/workspace"
    }
  }
}

# #region
data "workspace_workspace_owner" "me" {}
resource "workspace_agent" "main" {
  os   = "linux"
  arch = "amd64"

  env = {
    GIT_AUTHOR_EMAIL = data.workspace_workspace_owner.me.email
    GIT_AUTHOR_NAME  = data.workspace_workspace_owner.me.full_name
  }
}
# #endregion

resource "terraform_data" "machine" {
  input = {
    init_script = workspace_agent.main.init_script
  }
}
