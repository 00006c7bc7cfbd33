terraform {
  required_providers {
    workspace = {
      source = "trivet.local/trivet/workspace"
    }
  }
}

resource "workspace_agent" "main" {
  os   = "linux"
  arch = "amd64"
}

resource "workspace_app" "docs" {
  agent_id = workspace_agent.main.id
  slug     = "docs"
  url      = "http://localhost:8080"
}

# The machine of the workspace. It runs the agent's script at boot.
resource "terraform_data" "machine" {
  input = {
    init_script = workspace_agent.main.init_script
  }
}
