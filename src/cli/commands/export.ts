import path from 'node:path'
import type { Disk } from '../../main/disk/interface/disk'
import { exportFileName } from '../../main/exporters/file-names'
import { exporterOf } from '../../main/exporters/index'
import type { Exporter } from '../../main/exporters/parts/exporter'
import type { ExportForm, OpenExport } from '../../main/home/export/exports'
import { ExportBranches, ExportFormat } from '../../shared/model/export'
import { leavesOut } from '../../shared/model/export-choices'
import { textFlag, UsageError, wordFlag } from '../command/arguments'
import type { Command, CommandContext } from '../command/command'
import { exportMany, isZipNamed } from '../conversations/export-many'
import { findRef } from '../conversations/find'
import { choiceFlags } from '../conversations/given-choices'
import { redactedSentence, redactionWithKept } from '../conversations/given-redaction'
import { conversationsOf, withConversations } from '../conversations/libraries'
import { terminalText } from '../terminal/output'

/** Command `skein export`. */
export const exportCommand: Command = {
  name: 'export',
  synopsis:
    'KEY ... | --all [--format F] [--branches active|all] [--redact] [-o FILE | -o FOLDER | -o FILE.zip]',
  summary:
    'writes one complete conversation, or several into a folder or a zip; first lists on stderr what the format leaves out; exits 1 if a part could not be read',
  flags: [
    ...['format', 'branches', 'output', 'to-program', 'all', 'source'],
    ...['tools', 'reasoning', 'system', 'times', 'from', 'to', 'redact', 'redact-pattern'],
  ],
  options: [
    [
      '--format F',
      `${ExportFormat.options.filter((format) => exporterOf(format).isPrinted !== true).join(', ')}; md by default; pdf is made in the window`,
    ],
    ['--branches B', 'active: the path to the current leaf; all: every branch'],
    [
      '-o, --output FILE',
      'writes there, completely or not at all; never among histories; - is standard output',
    ],
    [
      '-o, --output FOLDER',
      'with a session to continue: a new file there, under the name by which the program finds it',
    ],
    ['-o, --output FOLDER', 'with several KEYs or --all: a file each, under a name that is free'],
    [
      '-o, --output FILE.zip',
      'one zip with a file for each conversation, also for one KEY; read back before it is there; the same conversations make the same bytes',
    ],
    [
      '--to-program',
      'with pi, claude-code or codex: a new session in the program’s own folder; prints the command that goes on with it',
    ],
    ['--tools all|calls|none', 'calls: without their results; none: neither'],
    [
      '--reasoning all|none',
      'none: without reasoning; so --system (the system’s messages) and --times',
    ],
    ['--from ID, --to ID', 'from this entry, and up to that one, in the order of the file'],
    [
      '--redact[=G,...]',
      'replaces secrets by words such as [redacted: GitHub token #1], and counts them on stderr; G: keys, emails, homes (names of users in paths), own (the patterns of Settings, Exports)',
    ],
    ['--redact-pattern P', 'replaces P too: a text, or /a regular expression/; repeatable'],
    ['--all', 'every conversation that is read'],
    ['--source SOURCE', 'with --all: only this system'],
  ],
  replaces: 'cycodj show --messages all --save-output; voicemode exchanges export -c',
  async run(context) {
    const { args } = context
    const [key, ...more] = args.operands
    const isAll = args.flags.all === true
    if (isAll && key !== undefined) throw new UsageError('--all takes no KEY.')
    if (!isAll && args.flags.source !== undefined)
      throw new UsageError('--source belongs to --all; a KEY may be "source:key".')
    if (!isAll && key === undefined)
      throw new UsageError(
        '"skein export" needs a KEY, several, or --all; "skein list" prints keys.',
      )
    const exporter = exporterOf(wordFlag(args, 'format', ExportFormat.options) ?? 'md')
    if (exporter.isPrinted === true)
      throw new UsageError(
        'A PDF is made by Skein’s window, which has a printer: open the conversation there, press Ctrl+E and choose PDF. --format html writes the page of which it is made.',
      )
    const branches = wordFlag(args, 'branches', ExportBranches.options) ?? exporter.branches
    if (exporter.id === 'original' && branches === 'active')
      throw new UsageError('The original holds every branch.')
    if (exporter.isSession === true && !exporter.hasBranches && branches === 'all')
      throw new UsageError(
        'A session of this program holds one path: --branches active. One of pi holds all.',
      )
    const redaction = await redactionWithKept(context)
    if (exporter.id === 'original' && redaction !== undefined)
      throw new UsageError('The original is copied byte for byte and is not redacted.')
    if (args.flags['to-program'] === true) {
      if (redaction !== undefined)
        throw new UsageError('--to-program is not redacted: the session would name other folders.')
      if (isAll || more.length > 0 || args.flags.output !== undefined)
        throw new UsageError('--to-program takes one KEY, and no --output.')
    }
    const target = textFlag(args, 'output') ?? '-'
    const choices = choiceFlags(args)
    const hasChoice = leavesOut(choices.parts, choices.range)
    if (exporter.id === 'original' && hasChoice)
      throw new UsageError('The original is copied byte for byte, and whole.')
    if (args.flags['to-program'] === true)
      return exportToProgram(context, key ?? '', { exporter, branches, ...choices })
    if (choices.range !== undefined && (isAll || more.length > 0))
      throw new UsageError('--from and --to are of one conversation.')
    const form = { exporter, branches, redaction, ...choices }
    const place = path.resolve(target)
    const isOne = !isAll && more.length === 0
    if (isOne && !(await isZipNamed(context.disk, place)))
      return exportOne(context, key ?? '', form, target)
    if (target === '-')
      throw new UsageError('Several conversations need a folder or a zip: -o FOLDER, -o FILE.zip.')
    const keys = isAll ? undefined : args.operands
    return exportMany(context, { keys, form, target: place })
  },
}

function exportOne(
  context: CommandContext,
  wanted: string,
  form: ExportForm,
  target: string,
): Promise<number> {
  const { args, disk, output, signal } = context
  return withConversations(context, async (all) => {
    const listed = await findRef(wanted, args, disk, signal, output.say)
    const one = await conversationsOf(all, listed.ref).exports.open(listed, form, signal)
    const { losses } = await one.losses()
    // Keys of metadata in it are plain names.
    for (const { sentence } of losses) output.say(sentence)
    const told = new Set(one.unread())
    if (target === '-') for await (const piece of one.pieces()) await output.write(piece)
    else {
      const file = await fileFor(disk, path.resolve(target), form.exporter, one)
      const bytes = await one.save(file)
      const shown = file === path.resolve(target) ? target : terminalText(file)
      output.say(`${one.counts().entries} entries, ${bytes} bytes in ${shown}.`)
    }
    const redacted = one.redacted()
    if (redacted !== undefined) output.say(redactedSentence(redacted))
    // The disk may have failed at the last reading alone.
    for (const sentence of one.unread()) if (!told.has(sentence)) output.say(terminalText(sentence))
    return one.unread().length === 0 ? 0 : 1
  })
}

function exportToProgram(
  context: CommandContext,
  wanted: string,
  form: ExportForm,
): Promise<number> {
  const { args, disk, output, signal } = context
  return withConversations(context, async (all) => {
    const listed = await findRef(wanted, args, disk, signal, output.say)
    const { exports, continuing } = conversationsOf(all, listed.ref)
    const one = await exports.open(listed, form, signal)
    const place = await continuing.placeOf(form.exporter, one.conversation)
    const { losses } = await one.losses()
    for (const { sentence } of losses) output.say(sentence)
    const bytes = await one.saveInProgram(place)
    output.say(terminalText(`${one.counts().entries} entries, ${bytes} bytes in ${place.file}.`))
    await output.write(`${terminalText(place.command)}\n`)
    for (const sentence of one.unread()) output.say(terminalText(sentence))
    return one.unread().length === 0 ? 0 : 1
  })
}

/** In a folder, a session has the name by which its program finds it. */
async function fileFor(
  disk: Disk,
  target: string,
  exporter: Exporter,
  { named }: OpenExport,
): Promise<string> {
  if (exporter.isSession !== true) return target
  if ((await disk.stat(target))?.kind !== 'directory') return target
  const { stem, ending } = exportFileName(exporter, named, '')
  return path.join(target, `${stem}${ending}`)
}
