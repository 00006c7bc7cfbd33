const longer = (bytes: number): readonly string[] => [
  "x".repeat(bytes + 1),
  "é".repeat(Math.ceil((bytes + 1) / 2)),
  `${"x".repeat(bytes)}\${`,
];

const urls = ["%zz", "http://[::1", "a:b:c d/\u0001", "http://host:port/", "1:2"];
const variableNames = ["", "1A", "A-B", "A B", "É", "A\n"];
const blank = ["", "  ", "\n"];
const uuids = ["", "main", "7d9f2c1e-5b3a-4c8d-9e0f-1a2b3c4d5e6", "{7d9f2c1e}"];

/** Values that the rule of an attribute refuses, by the type and the attribute's path. */
export const invalidValues: Readonly<Record<string, readonly unknown[]>> = {
  "workspace.url": ["", "ftp://a.test", "a.test", "https://", "https://u:p@a.test", "http://a/?q"],
  "workspace_agent.connectionTimeout": [-1],
  "workspace_agent.resourcesMonitoring.memory.threshold": [-1, 101],
  "workspace_agent.resourcesMonitoring.volumes.path": blank,
  "workspace_agent.resourcesMonitoring.volumes.threshold": [-1, 101],
  "workspace_ai_task.appId": uuids,
  "workspace_ai_task.sidebarApp.id": uuids,
  "workspace_app.slug": ["", "a_b", "-a", "a-", "a--b", "a b", "ä", "a\n"],
  "workspace_app.displayName": longer(64),
  "workspace_app.group": longer(64),
  "workspace_app.icon": urls,
  "workspace_app.tooltip": longer(2048),
  "workspace_devcontainer.workspaceFolder": blank,
  "workspace_env.name": variableNames,
  "workspace_external_auth.id": blank,
  "workspace_metadata.icon": urls,
  "workspace_parameter.name": blank,
  "workspace_parameter.icon": urls,
  "workspace_parameter.styling": ["", "[]", "null", "{", "{'a':1}", '{"a":"${b}"'],
  "workspace_parameter.options.icon": urls,
  "workspace_parameter.validation.regex": ["(?=a)", "(a)\\1", "(", "[a", "x{1001}", "(?<!a)b"],
  "workspace_script.icon": urls,
  "workspace_script.cron": ["* * *", "60 * * * * *", "0 0 24 * * *", "@soon", "0 0 0 0 * *", "L"],
  "workspace_script.timeout": [-1],
  "workspace_secret.env": variableNames,
  "workspace_secret.file": ["", "a", "~", "~a/b", "./a"],
  "workspace_workspace_preset.name": blank,
  "workspace_workspace_preset.description": longer(128),
  "workspace_workspace_preset.icon": [...urls, ...longer(256)],
  "workspace_workspace_preset.prebuilds.instances": [-1],
  "workspace_workspace_preset.prebuilds.expirationPolicy.ttl": [-1, 1, 3599, 31_536_001],
  "workspace_workspace_preset.prebuilds.scheduling.timezone": ["Mars", "europe/paris", "+01:00"],
  "workspace_workspace_preset.prebuilds.scheduling.schedules.cron": [
    "0 8 * * *",
    "* 24 * * *",
    "* * * *",
    "* * 0 * *",
    "* * * * 7",
    "@daily",
    "",
  ],
  "workspace_workspace_preset.prebuilds.scheduling.schedules.instances": [-1],
};
