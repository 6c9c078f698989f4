import path from 'node:path'
import { AppError } from '../../../shared/model/basics/errors'
import { type SourceId, sourceLabel } from '../../../shared/model/conversation/sources'
import type {
  AddAnswer,
  DroppedPaths,
  ImportAnswer,
  RootsFrom,
  SourceRoot,
  SourcesView,
} from '../../../shared/model/settings/source-roots'
import { Mutex } from '../../async/mutex'
import { shownPath } from '../../disk/interface/shown-path'
import type { History } from '../../library/sources/histories'
import type { LibraryRoot } from '../../library/sources/roots'
import { isSameRoot, type SourcesChange } from '../../settings/stored/settings-file'
import { BackedUpRoots } from './backed-up-roots'
import { type Detection, openDetection } from './detect-source'
import { answerTo, takeInFiles } from './import-answers'
import { type Imports, type ImportsDone, openImports } from './imports'
import { openRootCounts, type RootCounts } from './root-counts'
import { openRootScans, type RootScans } from './root-scans'
import { scanRoots } from './scan-roots'
import type { SourcesDeps, SourcesSession } from './sources-session'
import { sourcesView } from './sources-view'
import { viewTeller } from './view-teller'
import { type WindowRoot, windowRoots } from './window-roots'

/** Opens the sources of the app window. */
export function openSources(deps: SourcesDeps): SourcesSession {
  return new Session(deps)
}

class Session implements SourcesSession {
  readonly readers: readonly History['reader'][]
  private readonly deps: SourcesDeps
  private readonly plainReaders: readonly History['reader'][]
  private readonly looks: RootScans
  private readonly counts: RootCounts
  private readonly detection: Detection
  private readonly imports: Imports
  private readonly backups: BackedUpRoots
  private from: RootsFrom = 'settings'
  /** A home is open: before that nothing of the roots is read. */
  private isRead = false
  private rootsChanged: (roots: readonly LibraryRoot[]) => void = () => undefined
  private roots: readonly WindowRoot[] = []
  private faults: readonly string[] = []
  /** Path that was picked and waits for its source. */
  private picked: string | undefined
  private looking: Promise<void> | undefined
  /** One change after the other: each begins with the roots that the one before has left. */
  private readonly changes = new Mutex()
  private readonly teller = viewTeller(() => this.deps.changed(this.now()))

  constructor(deps: SourcesDeps) {
    this.deps = deps
    this.plainReaders = deps.readers.filter(({ id }) => id !== 'chibi')
    this.backups = new BackedUpRoots({
      disk: deps.imports.plain,
      archive: deps.backups,
      readers: this.plainReaders,
      note: deps.note,
      told: () => this.teller.soon(),
      changed: () => this.rootsChanged(this.readRoots()),
    })
    const scanned = (root: LibraryRoot) => this.backups.ask(root)
    this.looks = openRootScans(() => this.teller.soon(), scanned)
    this.counts = openRootCounts(deps.disk, this.plainReaders, () => this.teller.soon())
    this.detection = openDetection(deps.disk, this.plainReaders, () => this.teller.soon())
    const { disk, readers, imports } = deps
    this.imports = openImports({ disk, readers, ...imports }, () => this.teller.soon())
    this.readers = this.plainReaders.map((reader) => this.looks.over(reader))
  }

  async enter(
    from: RootsFrom,
    isRead: boolean,
    changed: (roots: readonly LibraryRoot[]) => void,
  ): Promise<readonly LibraryRoot[]> {
    this.from = from
    this.isRead = isRead
    this.rootsChanged = changed
    this.picked = undefined
    await this.loadRoots()
    return this.readRoots()
  }

  async view(): Promise<SourcesView> {
    return this.now()
  }

  async look(again: boolean): Promise<SourcesView> {
    const counting = this.counts.count(this.roots.filter(({ isOn }) => !isOn || !this.isRead))
    if (!this.isRead) {
      await counting
      return this.now()
    }
    if (again) {
      this.looks.again()
      // It may have passed by what is to be scanned again.
      await this.looking
    }
    this.looking ??= scanRoots({
      looks: this.looks,
      disk: this.deps.disk,
      readers: this.readers,
      roots: () => this.onRoots(),
    }).finally(() => {
      this.looking = undefined
    })
    await Promise.all([this.looking, counting])
    return this.now()
  }

  async stop(): Promise<SourcesView> {
    this.detection.stop()
    this.counts.stop()
    this.looks.stop()
    return this.now()
  }

  async add(kind: 'folder' | 'file'): Promise<AddAnswer> {
    this.assertEditable()
    const answer = await this.deps.ask(kind)
    if (answer === undefined) return { type: 'cancelled' }
    const file = path.resolve(answer)
    const { found, isWhole } = await this.detection.detect(file)
    const [source, ...others] = found
    if (source !== undefined && others.length === 0 && isWhole) {
      const root = { source, path: file }
      return { type: 'added', root, view: await this.put(root) }
    }
    this.picked = file
    return { type: 'choose', path: file, shown: shownPath(file), found }
  }

  async addAs(root: SourceRoot): Promise<SourcesView> {
    // The page names no path of its own: only what a person has picked in the system's dialog is read.
    if (root.path !== this.picked || !this.plainReaders.some(({ id }) => id === root.source))
      throw new AppError('bad-argument', 'That folder or file was not picked.')
    const view = await this.put(root)
    this.picked = undefined
    return view
  }

  async import(): Promise<ImportAnswer> {
    this.assertEditable()
    const file = await this.deps.askForExport()
    return file === undefined ? { type: 'cancelled' } : this.importAll([path.resolve(file)])
  }

  async importDropped(files: DroppedPaths): Promise<ImportAnswer> {
    this.assertEditable()
    if (!files.every((file) => path.isAbsolute(file)))
      throw new AppError('bad-argument', 'Those are no files on this computer.')
    await this.deps.allowImport(files)
    return this.importAll(files)
  }

  async isOpenedWith(): Promise<boolean> {
    return this.deps.opened.isWaiting()
  }

  async importOpened(): Promise<ImportAnswer> {
    const { opened } = this.deps
    const files = opened.take()
    if (files.length === 0) return { type: 'cancelled' }
    const { done, places } = await takeInFiles(files, {
      ...opened,
      import: async (file) => {
        this.assertEditable()
        return this.runImports([file])
      },
      addInPlace: (file) => this.addInPlace(file),
    })
    const [place, ...others] = places
    if (place !== undefined && others.length + done.failed.length === 0 && this.isRead) {
      const [key, ...more] = await opened.conversationsAt(place)
      if (key !== undefined && more.length === 0) opened.show(key)
    }
    return answerTo(done, () => this.now())
  }

  async stopImport(): Promise<SourcesView> {
    this.imports.stop()
    return this.now()
  }

  remove(root: SourceRoot): Promise<SourcesView> {
    return this.change(() => {
      this.known(root, 'added')
      return { list: 'added', root, isIn: false }
    })
  }

  turn(root: SourceRoot, isOn: boolean): Promise<SourcesView> {
    return this.change(() => {
      this.known(root, 'default')
      return { list: 'off', root, isIn: !isOn }
    })
  }

  async backUp(root: SourceRoot, isOn: boolean): Promise<SourcesView> {
    await this.change(() => {
      if (isOn && this.backups.view(this.known(root)) === null)
        throw new AppError('bad-argument', `${sourceLabel(root.source)} cannot be backed up.`)
      return { list: 'backedUp', root, isIn: isOn }
    })
    // Before a home is open nothing of the roots is read: the first scan asks for it.
    if (this.isRead) await this.backups.run(root)
    return this.now()
  }

  async deleteBackup(root: SourceRoot): Promise<SourcesView> {
    this.assertEditable()
    const size = this.backups.view(this.known(root))
    if (!size?.files) throw new AppError('not-found', 'Nothing is backed up there.')
    await this.deps.allowDelete(root, size)
    await this.change(() => ({ list: 'backedUp', root, isIn: false }))
    await this.backups.remove(root)
    return this.now()
  }

  isPartial(source: SourceId): boolean {
    return this.looks.isPartial(source)
  }

  close(): void {
    this.teller.close()
    this.detection.stop()
    this.counts.stop()
    this.imports.stop()
    this.backups.close()
  }

  private async importAll(files: readonly string[]): Promise<ImportAnswer> {
    return answerTo(await this.runImports(files), () => this.now())
  }

  private async runImports(files: readonly string[]): Promise<ImportsDone> {
    const done = await this.imports.run(files)
    // Also of what came before a stop or a fault.
    for (const source of done.kept) {
      const root = { source, path: this.deps.imports.folder }
      this.looks.forget(root)
      if (!this.roots.some((one) => one.isOn && isSameRoot(one, root))) await this.put(root)
    }
    if (done.kept.size > 0) this.rootsChanged(this.readRoots())
    return done
  }

  /**
   * Adds a file as the one system's that understands conversations there; undefined where none does, or looking was stopped.
   *
   * @throws AppError `bad-argument` where several do, and as `add`
   */
  private async addInPlace(file: string): Promise<SourceRoot | undefined> {
    if ((await this.deps.imports.plain.stat(file))?.kind !== 'file') return undefined
    const { found, isWhole, isUnderstood } = await this.detection.detect(file)
    const [source, ...others] = found
    if (source === undefined || !isWhole || !isUnderstood) return undefined
    if (others.length > 0)
      throw new AppError(
        'bad-argument',
        `${path.basename(file)} can be of ${found.map(sourceLabel).join(' or ')}: add it with “Add a file…”, and choose.`,
      )
    const root = { source, path: file }
    await this.put(root)
    return root
  }

  private put(root: SourceRoot): Promise<SourcesView> {
    return this.change(() => {
      const known = this.roots.find((one) => isSameRoot(one, root))
      if (known?.isOn === true)
        throw new AppError('exists', `${shownPath(root.path)} is read already.`)
      return known === undefined
        ? { list: 'added', root, isIn: true }
        : { list: 'off', root, isIn: false }
    })
  }

  private change(decide: () => SourcesChange): Promise<SourcesView> {
    return this.changes.run(async () => {
      this.assertEditable()
      await this.deps.settings.change({ sources: decide() })
      const before = JSON.stringify(this.readRoots())
      await this.loadRoots()
      // A backup that is turned on or off reads nothing else.
      if (JSON.stringify(this.readRoots()) !== before) this.rootsChanged(this.readRoots())
      const view = this.now()
      this.teller.now()
      return view
    })
  }

  private async loadRoots(): Promise<void> {
    const { stored, faults } = await this.deps.settings.read()
    const { given, environment, imports } = this.deps
    const { sources = { off: [], added: [], backedUp: [] } } = stored
    this.roots = windowRoots(this.from, given, sources, environment, imports.folder)
    const ours = faults.filter(({ key }) => key === undefined || key.startsWith('sources'))
    this.faults = ours.map(({ message }) => message)
    this.looks.open(this.onRoots())
    await this.backups.open(this.from, this.onRoots(), sources)
  }

  /** With the copies that are read besides them. */
  private readRoots(): readonly LibraryRoot[] {
    return [...this.onRoots(), ...this.backups.roots]
  }

  private onRoots(): readonly LibraryRoot[] {
    return this.roots.filter(({ isOn }) => isOn).map(({ source, path }) => ({ source, path }))
  }

  private known(root: SourceRoot, origin?: WindowRoot['origin']): SourceRoot {
    const one = this.roots.find((each) => isSameRoot(each, root))
    if (one === undefined || (origin ?? one.origin) !== one.origin)
      throw new AppError('not-found', `${shownPath(root.path)} is not in the list any more.`)
    return root
  }

  private assertEditable(): void {
    if (this.from === 'sample')
      throw new AppError('read-only', 'The sample library takes in nothing: open your own first.')
    if (this.from !== 'settings')
      throw new AppError('read-only', 'What is read was said when Skein was started.')
  }

  private now(): SourcesView {
    return sourcesView({
      from: this.from,
      roots: this.roots,
      readers: this.readers,
      isRead: this.isRead,
      stateOf: (root) => this.looks.state(root),
      countOf: (root) => this.counts.of(root),
      backupOf: (root) => this.backups.view(root),
      files: this.detection.files ?? this.looks.files,
      importing: this.imports.now,
      faults: this.faults,
    })
  }
}
