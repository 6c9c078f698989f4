import { injectAnswers } from '../../tools/hooks/hook-answers'
import type { Hooks } from '../../tools/hooks/hooks'
import type { Prompt } from './messages'

/** The texts of the system prompt; an absent or blank one is left out. */
export interface PromptParts {
  /**
   * The context's own prompt, else the home's `prompts/chibi.md`. Without either there is none: no text is invented.
   */
  readonly prompt?: string | undefined
  /** AGENTS.md of the home. */
  readonly agents?: string | undefined
  readonly username: string
  readonly summary?: string | undefined
  readonly goals?: string | undefined
  readonly todos?: string | undefined
  /** Rounds of tools in a turn; 0 or absent: without a limit, or without tools. */
  readonly fuel?: number | undefined
  readonly reflection?: string | undefined
}

/**
 * Builds the system prompt in chibi's order: the texts of `pre_system_prompt`, the prompt, AGENTS.md, the user's
 * name, the summary, goals, todos, fuel, reflection, and the texts of `post_system_prompt`. Without any other part
 * there is no fuel notice.
 */
export async function buildPrompt(
  parts: PromptParts,
  hooks: Hooks,
  context: string,
  signal: AbortSignal,
): Promise<Prompt> {
  const injected = async (point: 'pre_system_prompt' | 'post_system_prompt') => {
    if (signal.aborted || !hooks.hears(point)) return []
    const { summary = '', todos = '', goals = '' } = parts
    const data = { context_name: context, summary, todos, goals }
    return injectAnswers(point, await hooks.call(point, data, signal))
  }
  // As in chibi each comes before the text of the plugin before it.
  const before = [...(await injected('pre_system_prompt'))].reverse()
  const after = await injected('post_system_prompt')
  const { username, summary, fuel = 0 } = parts
  const system = joined([
    ...before,
    parts.prompt,
    headed('AGENT INSTRUCTIONS', parts.agents?.trim()),
    // chibi's name for a person without one.
    username === 'user' ? undefined : `The user speaking to you is called: ${username}`,
  ])
  const notes = [headed('CURRENT GOALS', parts.goals), headed('CURRENT TODOS', parts.todos)]
  const last = [parts.reflection, ...after]
  // Without any other part there is no prompt: the fuel alone is no reason for one.
  const isBare = joined([system, summary, ...notes, ...last]) === ''
  const notice = fuel > 0 && !isBare ? fuelNotice(fuel) : undefined
  return { system, summary, after: joined([...notes, notice, ...last]) }
}

function fuelNotice(fuel: number): string {
  return `--- FUEL ---\nYou can go on by yourself for ${fuel} rounds of tool calls; then the user has to speak again.`
}

function headed(heading: string, text: string | undefined): string | undefined {
  return isBlank(text) ? undefined : `--- ${heading} ---\n${text}`
}

function joined(parts: readonly (string | undefined)[]): string {
  return parts.filter((part) => !isBlank(part)).join('\n\n')
}

function isBlank(text: string | undefined): boolean {
  return text === undefined || text.trim() === ''
}
