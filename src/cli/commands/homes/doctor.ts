import path from 'node:path'
import { shownPath } from '../../../main/disk/interface/shown-path'
import { nodeDisk } from '../../../main/disk/node/node-disk'
import { checkHome, type HomeRepair, repairHome } from '../../../main/home/checkup/checkup'
import { skeinFolder } from '../../../main/settings/user-folders'
import { countWithNoun } from '../../../shared/model/basics/plural'
import type { Checkup, HomeFinding } from '../../../shared/model/checkup'
import { textFlag, UsageError } from '../../command/arguments'
import type { Command, CommandContext } from '../../command/command'
import { cacheFolder, settingsAt, storeAt } from '../../homes/named-homes'
import { jsonOutput, terminalText } from '../../terminal/output'

const nothing = () => undefined

/** Command `skein doctor`. */
export const doctorCommand: Command = {
  name: 'doctor',
  synopsis: '[--repair [--copy FOLDER]]',
  summary: 'explains what is wrong with a home, and repairs it after a copy',
  flags: ['repair', 'copy'],
  options: [
    [
      '--repair',
      'takes a snapshot, then repairs what is certain; changes no line of a conversation',
    ],
    ['--copy FOLDER', 'with --repair: where the snapshot goes; beside the home unless given'],
  ],
  failure: 2,
  async run(context) {
    const { args, disk, environment, output, signal, now = Date.now } = context
    const [root, ...others] = args.roots.filter(({ source }) => source === 'chibi')
    if (root === undefined || others.length > 0 || args.operands.length > 0)
      throw new UsageError('"skein doctor" needs one home: --home FOLDER.')
    const repair = args.flags.repair === true
    const copy = textFlag(args, 'copy')
    if (copy !== undefined && !repair) throw new UsageError('--copy belongs to --repair.')
    if (repair && !root.writable)
      throw new UsageError('"skein doctor --repair" needs a home to write to: --home, not --root.')
    const settings = settingsAt(root, disk, environment)
    const deps = {
      disk,
      store: storeAt(root, disk),
      settings,
      cacheFolder: cacheFolder(args, environment),
      userFolder: skeinFolder(environment),
      now,
    }
    const before = await checkHome(deps, nothing, signal)
    const copying = {
      deps: {
        disk: nodeDisk,
        home: root.path,
        userFolder: skeinFolder(environment),
        roots: args.roots,
        now,
      },
      folder: path.resolve(copy ?? path.dirname(root.path)),
    }
    const repaired = repair ? await repairHome(deps, before, copying, nothing, signal) : undefined
    const after = repaired?.after ?? before
    await (args.json
      ? output.write(jsonOutput(repair ? asJson(after, repaired) : after))
      : output.write(terminalText(textOf(after, repaired))))
    sayMore(context, after, repaired, repair)
    const isDone = repaired === undefined || (repaired.failed.length === 0 && !repaired.stopped)
    return after.findings.length === 0 && isDone ? 0 : 1
  },
}

function asJson(checkup: Checkup, repair: HomeRepair | undefined): object {
  const { repaired = [], failed = [], stopped = null } = repair ?? {}
  return { ...checkup, copy: repair ? shownPath(repair.copy) : null, repaired, failed, stopped }
}

function textOf({ findings }: Checkup, repair: HomeRepair | undefined): string {
  const repaired = (repair?.repaired ?? []).map(
    ({ place, happened, repair: words }) =>
      `${place}: repaired\n  ${happened}\n  done      ${words}\n`,
  )
  return [...repaired, ...findings.map(findingText)].join('\n')
}

function findingText({ kind, place, happened, lost, byItself, repair }: HomeFinding): string {
  return [
    `${place}: ${kind}`,
    `  ${happened}`,
    `  lost      ${lost}`,
    `  by itself ${byItself}`,
    `  --repair  ${repair ?? 'Nothing: no repair is certain.'}`,
    '',
  ].join('\n')
}

function sayMore(
  { output }: CommandContext,
  { contexts, findings }: Checkup,
  repair: HomeRepair | undefined,
  isRepair: boolean,
): void {
  if (repair !== undefined)
    output.say(`The home as it was: ${terminalText(shownPath(repair.copy))}`)
  for (const { place, why } of repair?.failed ?? [])
    output.say(`${terminalText(place)} was not repaired: ${terminalText(why)}`)
  if (repair?.stopped) output.say(`The repair ended early: ${terminalText(repair.stopped)}`)
  const looked = countWithNoun(contexts, 'conversation')
  const repairable = findings.filter((one) => one.repair !== null).length
  const can = isRepair || repairable === 0 ? '' : `; --repair can mend ${repairable}`
  const found =
    findings.length === 0
      ? 'nothing is wrong'
      : `${countWithNoun(findings.length, 'finding')}${can}`
  const did = repair === undefined ? '' : `, ${repair.repaired.length} repaired`
  output.say(`${looked}${did}: ${found}`)
}
