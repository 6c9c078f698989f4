import { randomUUID } from 'node:crypto'
import { AppError } from '../../shared/model/basics/errors'
import type { AskConsent } from '../llm/steps/consent'
import { systemClock } from '../llm/timing/clock'
import { callTool, notifyToolResult, offeredTools, usualToolLimits } from '../llm/tool-calls'
import type { Settings } from '../settings/settings'
import type { Store } from '../store/store'
import type { Tool } from '../tools/base/tool'
import type { Hooks } from '../tools/hooks/hooks'
import type { HomeSetup } from './home-setup'

/** Tools that a context's runs have, also without a run. */
export interface ContextTools {
  /** Lists them, but those that hand on the word: they belong to a run. @throws AppError `not-found`, `unreadable` */
  list(context: string, signal: AbortSignal): Promise<readonly Tool[]>
  /**
   * Calls one as a model would; nobody else writes to the context meanwhile.
   *
   * @param call the tool's name, and its arguments as JSON
   * @throws AppError `not-found` the context or the tool, `locked`
   */
  call(
    context: string,
    call: { readonly tool: string; readonly args: string },
    consent: AskConsent,
    signal: AbortSignal,
  ): Promise<{ readonly text: string; readonly failed: boolean }>
}

interface ContextToolsDeps extends Pick<HomeSetup, 'disk' | 'moreTools' | 'note'> {
  readonly store: Store
  readonly settings: Pick<Settings, 'runSettings'>
  readonly hooks: Hooks
  readonly ownFolders: readonly string[]
}

/** Opens the tools of a home's contexts. Starts nothing. */
export function openContextTools(deps: ContextToolsDeps): ContextTools {
  const { disk, store, hooks, ownFolders, settings, note } = deps

  async function list(context: string, signal: AbortSignal): Promise<readonly Tool[]> {
    if ((await store.findContext(context)) === undefined)
      throw new AppError('not-found', `There is no context "${context}".`)
    const more = (await deps.moreTools?.(context, signal)) ?? []
    const place = { disk, home: store.home, context, hooks, ownFolders, note }
    const tools = offeredTools(place, await settings.runSettings(context), more)
    return tools.filter(({ effect }) => effect !== 'flow')
  }

  return {
    list,
    async call(context, { tool, args }, consent, signal) {
      const tools = await list(context, signal)
      const found = tools.find(({ name }) => name === tool)
      if (found === undefined)
        throw new AppError(
          'not-found',
          `There is no tool "${tool}". There are: ${tools.map(({ name }) => name).join(', ')}.`,
        )
      const writer = await store.openWriter(context, { create: false, signal })
      try {
        const call = { id: randomUUID(), name: tool, arguments: args, streak: 1 }
        const limits = usualToolLimits
        const by = { tools: [found], consent, clock: systemClock, limits, toolHooks: hooks }
        const result = await callTool(call, by, () => {}, signal)
        await notifyToolResult(call, result, by, signal)
        if (signal.aborted) throw new AppError('cancelled', 'Stopped.')
        return { text: result.text, failed: result.failed === true }
      } finally {
        await writer.close()
      }
    },
  }
}
