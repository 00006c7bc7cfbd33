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

resource "workspace_app" "docs" {
  agent_id     = workspace_agent.main.id
  slug         = "docs"
  display_name = "Documentation"
  url          = "http://localhost:8080"
  share        = "authenticated"

  healthcheck {
    url       = "http://localhost:8080/health"
    interval  = 5
    threshold = 6
  }
}

# A command in a terminal, and a link.
resource "workspace_app" "logs" {
  agent_id = workspace_agent.main.id
  slug     = "logs"
  command  = "tail -f /var/log/build.log"
}

resource "workspace_app" "issues" {
  agent_id = workspace_agent.main.id
  slug     = "issues"
  url      = "https://issues.example.com"
  external = true
}
# #endregion

resource "terraform_data" "machine" {
  input = {
    init_script = workspace_agent.main.init_script
  }
}
