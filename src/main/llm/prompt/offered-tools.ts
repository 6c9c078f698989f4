import type { RunSettings } from '../../settings/config/run-settings'
import type { NoteTexts } from '../../store/prompt-texts'
import type { Tool, ToolDefinition } from '../../tools/base/tool'
import type { Hooks } from '../../tools/hooks/hooks'
import type { BuiltInDeps } from '../../tools/index'
import { ownTools } from './own-tools'
import type { PromptParts } from './system-prompt'

interface OfferDeps
  extends Pick<BuiltInDeps, 'disk' | 'home' | 'context' | 'ownFolders' | 'createContext'> {
  readonly hooks?: Hooks | undefined
  readonly now?: (() => number) | undefined
  readonly note: (words: string) => void
}

/**
 * Lists the tools that a run offers: the built-in ones and those of plugins, as far as the settings allow them. A
 * plugin's tool with the name of another one is left out and noted.
 */
export function offeredTools<T extends ToolDefinition>(
  { disk, home, context, hooks, now, ownFolders, createContext, note }: OfferDeps,
  settings: RunSettings,
  more: readonly T[],
): readonly (Tool | T)[] {
  if (settings.noToolCalls) return []
  const own = ownTools({
    disk,
    home,
    context,
    settings,
    ...(hooks === undefined ? {} : { hooks }),
    ...(now === undefined ? {} : { now }),
    ownFolders,
    createContext,
  })
  const names = new Set(own.map(({ name }) => name))
  const others = more.filter(({ name }) => {
    if (!names.has(name)) return names.add(name)
    note(`${context}: a plugin's tool has the name of another one: ${name}`)
    return false
  })
  return [...own, ...others].filter(({ name }) => settings.allows(name))
}

/** Collects the parts of the next request's prompt from a context's notes and settings. */
export function promptPartsOf(
  { systemPrompt, ...notes }: NoteTexts,
  settings: Pick<RunSettings, 'fuel' | 'reflectionEnabled'>,
  facts: {
    readonly agents: string | undefined
    readonly username: string
    readonly hasTools: boolean
  },
): PromptParts {
  return {
    ...notes,
    prompt: systemPrompt,
    agents: facts.agents,
    username: facts.username,
    fuel: facts.hasTools ? settings.fuel : 0,
    reflection: settings.reflectionEnabled ? notes.reflection : undefined,
  }
}
