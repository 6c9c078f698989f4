/** Beginnings of texts that Codex puts into a person's mouth: what it tells the model about folder, skills and turns. */
const wrappers: readonly RegExp[] = [
  /^# AGENTS\.md instructions\b/,
  /^<(?:environment_context|user_instructions|INSTRUCTIONS|skill|skills_instructions|apps_instructions|plugins_instructions)\b/,
  /^<(?:permissions instructions|collaboration_mode|personality_spec|model_switch|realtime_conversation)\b/,
  /^<(?:turn_aborted|subagent_notification|user_shell_command|user_action|hook_prompt|goal_context)\b/,
]

/** Returns true for a text that Codex itself wrote into a message of the person. */
export function isInjectedText(text: string): boolean {
  const start = text.slice(0, 200).trimStart()
  return wrappers.some((wrapper) => wrapper.test(start))
}

/** The beginning that an editor puts before a person's words, and the heading after which they begin. */
const editorContext = '# Context from my IDE setup:'
const editorRequest = /^## My request for Codex:\s*$/m

/** Returns the words of a person without what their editor put before them; the stored text stays as it is. */
export function ownWords(text: string): string {
  if (!text.trimStart().startsWith(editorContext)) return text
  const request = editorRequest.exec(text)
  return request === null ? text : text.slice(request.index + request[0].length)
}
