import type { IpcMain, IpcMainInvokeEvent } from 'electron'
import { z } from 'zod'
import { type Contract, channelOf, contract, type Envelope } from '../../shared/ipc/contract'
import type { Call, Domain, Handlers } from '../../shared/ipc/wire/primitives'
import { AppError, type ErrorReport } from '../../shared/model/basics/errors'

/** Entrance of calls: main's IPC, and the check of who may make them. */
export interface CallHost {
  readonly ipcMain: Pick<IpcMain, 'handle'>
  /** Whether a call comes from the main frame of a window of ours that shows our own page. */
  isTrusted(event: IpcMainInvokeEvent): boolean
  /** Takes note of a fault in our own code; its text never holds arguments. */
  report(where: string, error: unknown): void
}

/** Serves every call of a domain: checks the sender, parses the arguments, turns what is thrown into an envelope. */
export function serve<Name extends keyof Contract>(
  name: Name,
  handlers: Handlers<Contract[Name]>,
  host: CallHost,
): void {
  const domain: Domain = contract[name]
  const functions = handlers as Readonly<Record<string, (args: unknown) => Promise<unknown>>>
  for (const [member, definition] of Object.entries(domain)) {
    const answer = functions[member]
    if (definition.kind !== 'call' || answer === undefined) continue
    const channel = channelOf(name, member)
    host.ipcMain.handle(channel, async (event, args: unknown): Promise<Envelope> => {
      if (!host.isTrusted(event))
        return failure(new AppError('bad-argument', 'This page may not call Skein.'))
      try {
        return { ok: true, value: await answer(parsed(definition, channel, args)) }
      } catch (error) {
        if (!(error instanceof AppError)) host.report(channel, error)
        return failure(error)
      }
    })
  }
}

function parsed(definition: Call, channel: string, args: unknown): unknown {
  const result = definition.args.safeParse(args)
  if (result.success) return result.data
  throw new AppError('bad-argument', `${channel} was called with something else than it takes.`, {
    detail: z.prettifyError(result.error),
  })
}

function failure(error: unknown): Envelope {
  return { ok: false, error: reportOf(error) }
}

/** Returns what the page gets of any error; a fault of our own keeps its message for "show details". */
function reportOf(error: unknown): ErrorReport {
  if (error instanceof AppError) return error.report()
  return {
    code: 'internal',
    message: 'Skein made a mistake here. Nothing that was on the disk has changed.',
    detail: error instanceof Error ? error.message : String(error),
  }
}
