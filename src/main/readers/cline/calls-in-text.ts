import { taggedTexts, withoutTagged } from './tags'

/** A part of an answer: words, thoughts, or a call that the model wrote as tags. */
export type AnswerPart =
  | { readonly type: 'words' | 'thoughts'; readonly text: string }
  | {
      readonly type: 'call'
      readonly tool: string
      readonly args: Readonly<Record<string, string>>
    }

/** Tools that models call by tags. */
const tools = [
  'execute_command',
  'read_file',
  'write_to_file',
  'replace_in_file',
  'apply_diff',
  'insert_content',
  'search_and_replace',
  'search_files',
  'list_files',
  'list_code_definition_names',
  'codebase_search',
  'browser_action',
  'web_fetch',
  'use_mcp_tool',
  'access_mcp_resource',
  'load_mcp_documentation',
  'ask_followup_question',
  'attempt_completion',
  'plan_mode_respond',
  'switch_mode',
  'new_task',
  'new_rule',
  'condense',
  'summarize_task',
  'report_bug',
  'fetch_instructions',
  'update_todo_list',
  'generate_image',
  'run_slash_command',
]

const beginning = new RegExp(`^[ \\t]*<(${tools.join('|')})>[ \\t]*$`, 'm')
const thoughts = /^\s*<thinking>\s*([\s\S]*?)\s*<\/thinking>/

/**
 * Takes the text of an answer apart. A call is written at the end of an answer, on lines of its own; a text in which a tag
 * only occurs is words.
 */
export function answerParts(text: string): readonly AnswerPart[] {
  const parts: AnswerPart[] = []
  const [wrapped, thought = ''] = thoughts.exec(text) ?? []
  if (wrapped !== undefined && thought !== '') parts.push({ type: 'thoughts', text: thought })
  const rest = text.slice(wrapped?.length ?? 0)
  const found = beginning.exec(rest)
  const tool = found?.[1]
  const end = tool === undefined ? -1 : rest.lastIndexOf(`</${tool}>`)
  if (
    found === null ||
    tool === undefined ||
    end < 0 ||
    rest.slice(end + tool.length + 3).trim() !== ''
  )
    return rest.trim() === '' ? parts : [...parts, { type: 'words', text: rest.trim() }]
  const words = rest.slice(0, found.index).trim()
  if (words !== '') parts.push({ type: 'words', text: words })
  const inside = rest.slice(found.index + found[0].length, end)
  parts.push({ type: 'call', tool, args: argumentsIn(inside) })
  return parts
}

/** Arguments are tags; what stands in none, as a torn call has it, is kept under a name of its own. */
function argumentsIn(text: string): Readonly<Record<string, string>> {
  const tagged = taggedTexts(text, () => true)
  const args = Object.fromEntries(tagged.map(({ name, text: value }) => [name, withoutEnds(value)]))
  const rest = withoutTagged(text, tagged).trim()
  return rest === '' ? args : { ...args, text: rest }
}

/** A value on lines of its own has a line end before it and behind it. */
function withoutEnds(value: string): string {
  return value.replace(/^\n/, '').replace(/\n[ \t]*$/, '')
}
