terraform {
  required_providers {
    workspace = {
      source = "trivet.local/trivet/workspace"
    }
  }
}

# #region
data "workspace_provisioner" "host" {}
resource "workspace_agent" "main" {
  os   = "linux"
  arch = data.workspace_provisioner.host.arch
}
# #endregion

resource "terraform_data" "machine" {
  input = {
    init_script = workspace_agent.main.init_script
  }
}
