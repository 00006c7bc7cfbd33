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

resource "workspace_app" "chat" {
  agent_id = workspace_agent.main.id
  slug     = "chat"
  url      = "http://localhost:3284"
}

resource "workspace_ai_task" "assistant" {
  app_id = workspace_app.chat.id
}
# #endregion

resource "terraform_data" "machine" {
  input = {
    init_script = workspace_agent.main.init_script
  }
}
