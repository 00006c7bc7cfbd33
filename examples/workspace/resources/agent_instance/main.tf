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
  auth = "cloudA-instance-identity"
}

# The virtual machine of the workspace.
resource "terraform_data" "machine" {
  input = {
    init_script = workspace_agent.main.init_script
  }
}

resource "workspace_agent_instance" "instance" {
  agent_id    = workspace_agent.main.id
  instance_id = terraform_data.machine.id
}
# #endregion
