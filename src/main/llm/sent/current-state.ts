import type { RunSettings } from '../../settings/config/run-settings'
import type { Endpoint } from '../../settings/endpoint/endpoint'
import {
  readAgents,
  readCombinedPrompt,
  readContextImage,
  readNotes,
} from '../../store/prompt-texts'
import { findImage } from '../../store/texts/attachments'
import type { Tool } from '../../tools/base/tool'
import type { BuiltInDeps } from '../../tools/index'
import { asFallback, ownTools } from '../prompt/own-tools'
import type { ReadImage } from '../request/images'
import type { FallbackTool } from '../steps/run-hooks'
import type { CurrentPrompt } from './prompt-candidates'
import type { KnownTool } from './rebuild'

/** The present state of a home, from which an earlier request is rebuilt. */
export interface CurrentStateDeps extends Pick<BuiltInDeps, 'disk' | 'home'> {
  readonly runSettings: (context: string) => Promise<RunSettings>
  readonly endpoint: (context: string) => Promise<Endpoint>
  /** Tools of trusted plugins; asked where a tool was offered that Skein has not itself. */
  readonly moreTools?:
    | ((context: string, signal?: AbortSignal) => Promise<readonly Tool[]>)
    | undefined
}

/**
 * Reads the prompt, notes and settings that a context has now. An unreadable part counts as absent; `unread` says
 * why, a sentence each.
 */
export async function readCurrentState(
  { disk, home }: CurrentStateDeps,
  context: string,
  settings: RunSettings,
  endpoint: Endpoint,
): Promise<{ readonly now: CurrentPrompt; readonly unread: readonly string[] }> {
  const unread: string[] = []
  const noted = (error: unknown) => {
    const why = error instanceof Error ? error.message : String(error)
    unread.push(`Part of the current prompt could not be read: ${why}.`)
    return undefined
  }
  const [notes = {}, agents, combined] = await Promise.all([
    readNotes(disk, home, context).catch(noted),
    readAgents(disk, home).catch(noted),
    readCombinedPrompt(disk, home, context).catch(noted),
  ])
  const now = {
    context,
    notes,
    agents,
    combined,
    username: endpoint.username.value,
    fuel: settings.fuel,
    isReflectionShown: settings.reflectionEnabled,
  }
  return { now, unread }
}

/**
 * Returns a reader of a context's images; unlike a run's reader it copies none from other contexts. Never rejects.
 */
export function imageReader({ disk, home }: CurrentStateDeps, context: string): ReadImage {
  return async (name) => {
    const place = { disk, home, context }
    const found = await findImage(place, name).catch(() => undefined)
    if (found === undefined)
      return readContextImage(disk, home, context, name).catch(() => undefined)
    return `data:${found.type.mime};base64,${Buffer.from(found.bytes).toString('base64')}`
  }
}

/**
 * Resolves to tools by their names as they are described now, once for each tool that may have been the fallback.
 *
 * @param context by the name that it had then: a description may have it
 * @returns also the names that no tool has any more
 */
export async function knownTools(
  deps: CurrentStateDeps,
  context: string,
  settings: RunSettings,
  names: readonly string[],
  signal: AbortSignal | undefined,
): Promise<{
  readonly tools: readonly (readonly KnownTool[])[]
  readonly unknown: readonly string[]
}> {
  if (names.length === 0) return { tools: [], unknown: [] }
  const { disk, home } = deps
  const ownIn = (allowedPaths: readonly string[]) =>
    ownTools({
      disk,
      home,
      context,
      settings: { ...settings, allowedPaths, reflectionEnabled: true },
    })
  // Some tools are there only where folders are allowed: they show whether folders were allowed then.
  const closed = ownIn([])
  const open = ownIn(settings.allowedPaths.length > 0 ? settings.allowedPaths : [home])
  const needFolders = open.filter(({ name }) => closed.every((tool) => tool.name !== name))
  const own = needFolders.some(({ name }) => names.includes(name)) ? open : closed
  const isOwn = (name: string) => own.some((tool) => tool.name === name)
  const more = names.every(isOwn) ? [] : ((await deps.moreTools?.(context, signal)) ?? [])
  const byName = new Map<string, KnownTool>()
  for (const { name, description, parameters } of [...more, ...own])
    byName.set(name, { name, description, parameters })
  const other: FallbackTool = settings.fallbackTool === 'call_user' ? 'call_agent' : 'call_user'
  const variant = (fallback: FallbackTool | undefined) =>
    names.map((name): KnownTool => {
      const { description, parameters } = byName.get(name) ?? {}
      if (description === undefined || parameters === undefined) return { name }
      const tool = { name, description, parameters }
      return name === fallback ? asFallback(tool) : tool
    })
  return {
    tools: [settings.fallbackTool, other, undefined].map(variant),
    unknown: names.filter((name) => !byName.has(name)),
  }
}
