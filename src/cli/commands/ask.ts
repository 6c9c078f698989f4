import { practiceOnDemand } from '../../main/practice/launch'
import { AppError } from '../../shared/model/basics/errors'
import type { RunEvent } from '../../shared/model/run/run'
import { askRequest, noMessage } from '../ask/ask-input'
import { type AskForm, askOutput } from '../ask/ask-output'
import { checkAsk, isStoredMessage, oneRunOf, runOptions } from '../ask/ask-run'
import { diagnosticOf, endpointLines } from '../ask/diagnostics'
import { talk } from '../ask/talk'
import { talkTerminal } from '../ask/talk-terminal'
import { UsageError } from '../command/arguments'
import { type Command, verboseOption } from '../command/command'
import { settingsAt } from '../homes/named-homes'
import { withVisit, writableRoot } from '../homes/open-home'
import { askPersonFor, terminalPerson } from '../terminal/person'

/** Command `skein ask`. */
export const askCommand: Command = {
  name: 'ask',
  synopsis:
    '--context NAME [--model M] [--allow TOOL] [PROMPT | < stdin], or --prompt NAME, or --input FILE',
  summary: 'writes a message and prints the answer, or talks at a terminal; makes the context',
  flags: [
    'context',
    'model',
    'practice',
    'input',
    'prompt',
    'field',
    'attach',
    'allow',
    'no-tools',
    'fuel',
    'events',
    'log-requests',
    'username',
    'set',
    'verbose',
  ],
  options: [
    ['--context NAME', 'the context to write to'],
    ['--model M', 'the model to ask, in place of the configured one'],
    ['--practice', 'uses the practice model: no AI, nothing leaves this computer'],
    ['--username NAME', 'who is speaking, for this run'],
    ['--set KEY=VALUE', 'a value of config.toml for this run; may be given several times'],
    ['--input FILE', 'a whole run as JSON; "-" is standard input. See docs/command-line.md'],
    [
      '--attach FILE',
      'a text file or an image that goes with the message; may be given several times',
    ],
    ['--prompt NAME', 'a saved prompt of the home; what is given as PROMPT follows it'],
    ['--field NAME=VALUE', 'a field of the saved prompt; may be given several times'],
    ['--allow TOOL', 'lets a tool that writes run without asking; may be given several times'],
    ['--no-tools', 'offers no tools'],
    ['--fuel N', 'how far the model may continue on its own; 0 is unlimited'],
    ['--events', 'prints each event of the run as a line of JSON'],
    ['--log-requests', "logs requests, without keys, in the context's requests.jsonl"],
    verboseOption,
  ],
  replaces: 'chibi PROMPT, -u, -U, -v',
  async run(context) {
    const { args, disk, environment, output, practiceWorker, readInput, readPdf, signal } = context
    if (args.json && args.flags.events === true)
      throw new UsageError('--json and --events cannot both be given.')
    const form: AskForm = args.json ? 'json' : args.flags.events === true ? 'events' : 'text'
    const rootOf = () =>
      writableRoot(context, '"skein ask" writes, so it needs a home: --home, not --root.')
    // What is asked wrongly is said before what is missing around it.
    const request = await askRequest(args, disk, readInput, () => rootOf().path, readPdf, signal)
    for (const words of request.notes) output.say(words)
    const root = rootOf()
    const terminal =
      request.prompt === undefined && form === 'text' ? talkTerminal(output.say) : undefined
    const isAttached = request.images.length + request.files.length > 0
    if (request.prompt === undefined && terminal === undefined && !isAttached) throw noMessage()
    const practice = args.flags.practice === true ? practiceOnDemand(practiceWorker) : undefined
    const settings = settingsAt(root, disk, environment, practice?.url)
    const verbose = args.flags.verbose === true
    const isAtTerminal = process.stderr.isTTY === true
    const consent = askPersonFor(request.allow, terminalPerson(), output.say)
    try {
      const options = runOptions(request, await practice?.url())
      const endpoint = await checkAsk(request.context, options, settings, output.say)
      if (verbose) for (const line of endpointLines(endpoint)) output.say(line)
      const visit = { context: request.context, settings }
      return await withVisit(context, root, visit, async ({ home }) => {
        const more = { run: options, consent, logsRequests: args.flags['log-requests'] === true }
        // In a talk, what is attached goes with the first message that is stored.
        let left = request
        const send = async (prompt: string, halt: AbortSignal) => {
          const told = askOutput(output, form, isAtTerminal && !verbose)
          const tell = (event: RunEvent) => {
            const line = verbose ? diagnosticOf(event) : undefined
            if (line !== undefined) output.say(line)
            if (isStoredMessage(event)) left = { ...request, images: [], files: [] }
            return told.tell(event)
          }
          const one = oneRunOf(left, prompt, more, output.say)
          for await (const event of home.runOnce(one, halt)) await tell(event)
          return (await told.end(request.context)).outcome
        }
        if (terminal !== undefined) {
          output.say(`You write to "${request.context}". Ctrl+C stops an answer, Ctrl+D ends.`)
          const onInterrupt = context.onInterrupt ?? (() => () => {})
          await talk(
            {
              terminal,
              send: async (...said) => void (await send(...said)),
              say: output.say,
              onInterrupt,
            },
            signal,
          )
          return 0
        }
        const outcome = await send(request.prompt ?? '', signal)
        // As any other command that was interrupted; it has been reported already.
        if (outcome === 'stopped') throw new AppError('cancelled', 'Stopped.')
        return outcome === 'complete' ? 0 : 1
      })
    } finally {
      await practice?.close()
    }
  },
}
