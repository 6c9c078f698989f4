import { shownPath } from '../../../main/disk/interface/shown-path'
import { nodeDisk } from '../../../main/disk/node/node-disk'
import {
  type BackupDone,
  backUpRoot,
  backupSize,
  checkBackup,
  deleteBackup,
  listPlaces,
} from '../../../main/library/backups'
import { parseRootOption } from '../../../main/library/sources/roots'
import { deleteBackupQuestion } from '../../../main/permission/backup-question'
import { readers } from '../../../main/readers/index'
import { isSameRoot, openSettingsFile } from '../../../main/settings/stored/settings-file'
import { backupsFolder, skeinFolder } from '../../../main/settings/user-folders'
import { AppError } from '../../../shared/model/basics/errors'
import { SourceId, sourceLabel } from '../../../shared/model/conversation/sources'
import type { SourceRoot } from '../../../shared/model/settings/source-roots'
import { UsageError } from '../../command/arguments'
import type { Command, CommandContext } from '../../command/command'
import { terminalPermissions } from '../../terminal/permissions'
import { terminalPerson } from '../../terminal/person'
import { type BackupState, checkText, writeBackups } from './backup-text'

const acts = ['on', 'off', 'now', 'check', 'delete'] as const

/** Command `skein backup`. */
export const backupCommand: Command = {
  name: 'backup',
  synopsis: '[on SOURCE | off SOURCE | now | check | delete SOURCE]',
  summary: 'keeps copies of the files of systems that delete their conversations',
  flags: [],
  options: [
    ['on SOURCE', 'backs up this system from now on; SOURCE=PATH for one of several folders'],
    ['off SOURCE', 'no longer does; its backup stays'],
    ['now', 'copies what is new in every system that is on'],
    ['check', 'checks every copy against its seal'],
    ['delete SOURCE', 'deletes the backup of a system, after a question'],
  ],
  async run(context) {
    const [word, name, ...more] = context.args.operands
    const act = acts.find((one) => one === word)
    const needsName = act === 'on' || act === 'off' || act === 'delete'
    if ((word !== undefined && act === undefined) || more.length > 0)
      throw new UsageError(`"skein backup" takes ${acts.join(', ')}, or nothing.`)
    if (needsName !== (name !== undefined))
      throw new UsageError(
        needsName
          ? `"skein backup ${act}" needs a SOURCE.`
          : `"skein backup ${act}" takes nothing.`,
      )
    const backups = new Backups(context)
    switch (act) {
      case undefined:
        return backups.list()
      case 'now':
        return backups.copyAll()
      case 'check':
        return backups.check()
      case 'on':
        return backups.turnOn(await backups.named(name ?? ''))
      case 'off':
        return backups.turnOff(await backups.named(name ?? ''))
      case 'delete':
        return backups.remove(await backups.named(name ?? ''))
    }
  },
}

class Backups {
  private readonly context: CommandContext
  private readonly archive: string

  constructor(context: CommandContext) {
    this.context = context
    this.archive = backupsFolder(context.environment)
  }

  async list(): Promise<number> {
    const states: BackupState[] = []
    for (const root of await this.places()) states.push(await this.stateOf(root))
    await writeBackups(this.context, states)
    return 0
  }

  async copyAll(): Promise<number> {
    const states = (await this.places()).filter((one) => one.isOn)
    return this.copy(states)
  }

  async turnOn(root: SourceRoot): Promise<number> {
    await this.settings().change({ sources: { list: 'backedUp', root, isIn: true } })
    return this.copy((await this.places()).filter((one) => isSameRoot(one, root)))
  }

  async turnOff(root: SourceRoot): Promise<number> {
    await this.settings().change({ sources: { list: 'backedUp', root, isIn: false } })
    const place = (await this.places()).find((one) => isSameRoot(one, root))
    await writeBackups(this.context, place === undefined ? [] : [await this.stateOf(place)])
    return 0
  }

  async check(): Promise<number> {
    const { signal, output } = this.context
    let isWhole = true
    const checked = []
    for (const { root } of await listPlaces(nodeDisk, this.archive)) {
      const found = await checkBackup(nodeDisk, this.archive, root, signal)
      isWhole &&= found.broken.length === 0
      checked.push({ source: root.source, path: root.path, ...found })
    }
    await output.write(checkText(this.context, checked))
    return isWhole ? 0 : 1
  }

  async remove(root: SourceRoot): Promise<number> {
    const { files, bytes } = await backupSize(nodeDisk, this.archive, root)
    if (files === 0) throw new AppError('not-found', `${shownPath(root.path)} has no backup.`)
    await terminalPermissions(terminalPerson(), 'Nothing was deleted.').require(
      deleteBackupQuestion(root, { files, bytes }),
      'Nothing was deleted.',
    )
    await this.settings().change({ sources: { list: 'backedUp', root, isIn: false } })
    await deleteBackup(nodeDisk, this.archive, root, this.context.signal)
    this.context.output.say('The backup was deleted.')
    return 0
  }

  /** The root that `SOURCE` or `SOURCE=PATH` names. @throws UsageError, AppError `not-found` */
  async named(name: string): Promise<SourceRoot> {
    const [word = ''] = name.split('=', 1)
    const source = SourceId.safeParse(word)
    if (!source.success)
      throw new UsageError(`"${word}" is not a source; known: ${SourceId.options.join(', ')}.`)
    if (ruleOf(source.data) === undefined)
      throw new UsageError(`${sourceLabel(source.data)} cannot be backed up: ${whyNot}`)
    if (name.includes('=')) {
      const root = parseRootOption(name, process.cwd())
      if (typeof root === 'string') throw new UsageError(root)
      return root
    }
    const all = (await this.places()).filter((one) => one.source === source.data)
    const [first, ...others] = all
    if (first === undefined)
      throw new AppError('not-found', `Nothing of ${sourceLabel(source.data)} was found.`)
    if (others.length > 0)
      throw new UsageError(
        `${sourceLabel(source.data)} has ${all.length} folders: ${all.map((one) => `${source.data}=${one.path}`).join(', ')}.`,
      )
    return { source: first.source, path: first.path }
  }

  private settings() {
    return openSettingsFile(nodeDisk, skeinFolder(this.context.environment))
  }

  /** Lists the roots that can be backed up and are there, are turned on, or have a backup. */
  private async places(): Promise<readonly (SourceRoot & { readonly isOn: boolean })[]> {
    const { args } = this.context
    const { stored } = await this.settings().read()
    const on = stored.sources?.backedUp ?? []
    const places = (await listPlaces(nodeDisk, this.archive)).map(({ root }) => root)
    const found: SourceRoot[] = []
    for (const { source, path, backup } of args.roots) {
      if (backup !== undefined || ruleOf(source) === undefined) continue
      const isThere = await nodeDisk.stat(path).catch(() => undefined)
      if (isThere !== undefined) found.push({ source, path })
    }
    const isNamed = (root: SourceRoot) =>
      !args.rootsGiven || args.roots.some((one) => isSameRoot(one, root))
    const all = [...found, ...[...on, ...places].filter(isNamed)]
    return all
      .filter((root, at) => all.findIndex((one) => isSameRoot(one, root)) === at)
      .map(({ source, path }) => ({
        source,
        path,
        isOn: on.some((one) => isSameRoot(one, { source, path })),
      }))
  }

  private async stateOf(
    { isOn, ...root }: SourceRoot & { readonly isOn: boolean },
    done?: BackupDone,
  ): Promise<BackupState> {
    const size = done ?? (await backupSize(nodeDisk, this.archive, root))
    return { ...root, isOn, deletes: ruleOf(root.source)?.deletes, ...size }
  }

  /** One that fails does not keep the others from being copied. */
  private async copy(roots: readonly (SourceRoot & { readonly isOn: boolean })[]): Promise<number> {
    const { output, signal } = this.context
    const states: BackupState[] = []
    let isWhole = true
    for (const root of roots) {
      const rule = ruleOf(root.source)
      if (rule === undefined) continue
      try {
        const deps = { disk: nodeDisk, archive: this.archive }
        const done = await backUpRoot(deps, root, rule, signal)
        isWhole &&= done.failed.length === 0
        for (const words of done.failed) output.say(words)
        states.push(await this.stateOf(root, done))
      } catch (error) {
        if (!(error instanceof AppError)) throw error
        isWhole = false
        output.say(`${sourceLabel(root.source)}: ${error.message}`)
      }
    }
    await writeBackups(this.context, states)
    if (roots.length === 0) output.say('Nothing is backed up. "skein backup on SOURCE" begins.')
    return isWhole ? 0 : 1
  }
}

const whyNot = 'its conversations lie in a database, or are imported and kept already.'

function ruleOf(source: SourceId) {
  return readers.find(({ id }) => id === source)?.backup
}
