import { practiceOnDemand } from '../../main/practice/launch'
import { AppError } from '../../shared/model/errors'
import { UsageError } from '../arguments'
import { consentFrom, terminalPerson } from '../ask-consent'
import { askRequest } from '../ask-input'
import { type AskForm, askOutput } from '../ask-output'
import { askRun } from '../ask-run'
import type { Command } from '../command'
import { contextLengths, settingsAt, storeAt } from '../homes'

export const ask: Command = {
  name: 'ask',
  synopsis: '--context NAME [--model M] [--allow TOOL] [PROMPT | < stdin], or --input FILE',
  summary: 'writes a message and prints the answer; makes the context when it is not there',
  flags: [
    'context',
    'model',
    'practice',
    'input',
    'allow',
    'no-tools',
    'fuel',
    'events',
    'log-requests',
  ],
  options: [
    ['--context NAME', 'the context to write to'],
    ['--model M', 'the model to ask, in place of the configured one'],
    ['--practice', 'asks the practice model: no AI, nothing leaves this machine'],
    ['--input FILE', 'a whole run as JSON; "-" is standard input. See docs/command-line.md'],
    ['--allow TOOL', 'lets a tool that writes run without asking; may be given several times'],
    ['--no-tools', 'offers no tools'],
    ['--fuel N', 'how far the model may go on by itself; 0 is without a limit'],
    ['--events', 'prints each event of the run as a line of JSON'],
    ['--log-requests', 'takes down what is sent, without keys, in requests.jsonl of the context'],
  ],
  async run({ args, disk, environment, output, practiceWorker, readInput, signal }) {
    if (args.json && args.flags.events === true)
      throw new UsageError('--json and --events cannot both be given.')
    const form: AskForm = args.json ? 'json' : args.flags.events === true ? 'events' : 'text'
    const request = await askRequest(args, disk, readInput)
    const root = args.roots.find((one) => one.writable)
    if (root === undefined)
      throw new UsageError('"skein ask" writes, so it needs a home: --home, not --root.')

    const practice = args.flags.practice === true ? practiceOnDemand(practiceWorker) : undefined
    const told = askOutput(output, form, process.stderr.isTTY === true)
    try {
      await askRun(
        request,
        await practice?.url(),
        {
          disk,
          environment,
          store: storeAt(root, disk),
          settings: settingsAt(root, disk, environment, practice?.url),
          contextLength: contextLengths(args, disk, environment),
          consent: consentFrom(request.allow, terminalPerson(), output.say),
          note: output.say,
          logsRequests: args.flags['log-requests'] === true,
        },
        (event) => told.tell(event),
        signal,
      )
    } finally {
      await practice?.close()
    }
    const { outcome } = await told.end(request.context)
    // As any other command that was interrupted; it has been said already.
    if (outcome === 'stopped') throw new AppError('cancelled', 'Stopped.')
    return outcome === 'complete' ? 0 : 1
  },
}
