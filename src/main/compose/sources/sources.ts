import path from 'node:path'
import { AppError } from '../../../shared/model/basics/errors'
import { type SourceId, sourceLabel } from '../../../shared/model/conversation/sources'
import type {
  AddAnswer,
  RootsFrom,
  SourceRoot,
  SourcesView,
} from '../../../shared/model/settings/source-roots'
import { Mutex } from '../../async/mutex'
import type { Disk } from '../../disk/interface/disk'
import { shownPath } from '../../disk/interface/shown-path'
import type { Sources } from '../../ipc/serve-calls'
import type { History } from '../../library/sources/histories'
import type { LibraryRoot } from '../../library/sources/roots'
import {
  isSameRoot,
  type SettingsFile,
  type SourcesChange,
} from '../../settings/stored/settings-file'
import { type Detection, openDetection } from './detect-source'
import { openRootScans, type RootScans } from './root-scans'
import { type WindowRoot, windowRoots } from './window-roots'

/** Dependencies of the sources of the app window. */
export interface SourcesDeps {
  readonly disk: Disk
  /** Of every system; chibi's is left out. */
  readonly readers: readonly History['reader'][]
  readonly settings: Pick<SettingsFile, 'read' | 'change'>
  /** The roots that `--root` names. */
  readonly given: readonly LibraryRoot[]
  /** Says where other systems leave their histories; nothing unless given. */
  readonly environment?: Readonly<Record<string, string | undefined>>
  /** The system's dialog; undefined when it was cancelled. */
  readonly ask: (kind: 'folder' | 'file') => Promise<string | undefined>
  /** At most ten a second while files are looked for. */
  readonly changed: (view: SourcesView) => void
}

/** The roots of other systems of one window, in every home that it opens. */
export interface SourcesSession extends Sources {
  /** The readers by which the library lists them, so that Settings can tell what is found, and stop it. */
  readonly readers: readonly History['reader'][]
  /** Gives the roots that are read in another home, which is opened now. @param changed hears those that are read there from then on */
  enter(
    from: RootsFrom,
    changed: (roots: readonly LibraryRoot[]) => void,
  ): Promise<readonly LibraryRoot[]>
  /** Whether a root of a source was not scanned whole: what was not found there may be there all the same. */
  isPartial(source: SourceId): boolean
  /** Ends the events. */
  close(): void
}

const toldEveryMs = 100

/** Opens the sources of the app window. */
export function openSources(deps: SourcesDeps): SourcesSession {
  return new Session(deps)
}

class Session implements SourcesSession {
  readonly readers: readonly History['reader'][]
  private readonly deps: SourcesDeps
  private readonly plainReaders: readonly History['reader'][]
  private readonly looks: RootScans
  private readonly detection: Detection
  private from: RootsFrom = 'settings'
  private rootsChanged: (roots: readonly LibraryRoot[]) => void = () => undefined
  private roots: readonly WindowRoot[] = []
  private faults: readonly string[] = []
  /** What was picked and waits for its source. */
  private picked: string | undefined
  private looking: Promise<void> | undefined
  /** One change after the other: each begins with the roots that the one before has left. */
  private readonly changes = new Mutex()
  private timer: NodeJS.Timeout | undefined
  private isClosed = false

  constructor(deps: SourcesDeps) {
    this.deps = deps
    this.plainReaders = deps.readers.filter(({ id }) => id !== 'chibi')
    this.looks = openRootScans(() => this.tellSoon())
    this.detection = openDetection(deps.disk, this.plainReaders, () => this.tellSoon())
    this.readers = this.plainReaders.map((reader) => this.looks.over(reader))
  }

  async enter(
    from: RootsFrom,
    changed: (roots: readonly LibraryRoot[]) => void,
  ): Promise<readonly LibraryRoot[]> {
    this.from = from
    this.rootsChanged = changed
    this.picked = undefined
    await this.readRoots()
    return this.onRoots()
  }

  async view(): Promise<SourcesView> {
    return this.now()
  }

  async look(again: boolean): Promise<SourcesView> {
    if (again) {
      this.looks.again()
      // It may have passed by what is to be scanned again.
      await this.looking
    }
    this.looking ??= this.lookAtAll().finally(() => {
      this.looking = undefined
    })
    await this.looking
    return this.now()
  }

  async stop(): Promise<SourcesView> {
    this.detection.stop()
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

  isPartial(source: SourceId): boolean {
    return this.looks.isPartial(source)
  }

  close(): void {
    this.isClosed = true
    clearTimeout(this.timer)
    this.detection.stop()
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
      await this.readRoots()
      this.rootsChanged(this.onRoots())
      const view = this.now()
      this.tell()
      return view
    })
  }

  private async readRoots(): Promise<void> {
    const { stored, faults } = await this.deps.settings.read()
    const { given, environment } = this.deps
    this.roots = windowRoots(
      this.from,
      given,
      stored.sources ?? { off: [], added: [] },
      environment,
    )
    this.faults = faults
      .filter(({ key }) => key === undefined || key.startsWith('sources'))
      .map(({ message }) => message)
    this.looks.open(this.onRoots())
  }

  private onRoots(): readonly LibraryRoot[] {
    return this.roots.filter(({ isOn }) => isOn).map(({ source, path }) => ({ source, path }))
  }

  private async lookAtAll(): Promise<void> {
    const visited: LibraryRoot[] = []
    for (;;) {
      // Asked each time: one may have been added meanwhile.
      const root = this.onRoots().find((one) => !visited.some((known) => isSameRoot(known, one)))
      if (root === undefined) return
      visited.push(root)
      await this.lookAt(root)
    }
  }

  private async lookAt(root: LibraryRoot): Promise<void> {
    // One that cannot be read is listed all the same: its reader says why.
    const stat = await this.deps.disk.stat(root.path).catch(() => null)
    if (stat === undefined) return this.looks.setMissing(root)
    await this.looks.quiet(root)
    if (this.looks.isSettled(root) && this.looks.state(root).type !== 'missing') return
    await this.walk(root)
  }

  private async walk({ source, path: root }: LibraryRoot): Promise<void> {
    const reader = this.readers.find(({ id }) => id === source)
    if (reader === undefined) return
    try {
      const refs = reader.list(root, this.deps.disk, new AbortController().signal)
      for await (const _ref of refs);
    } catch {
      // The root's state says it.
    }
  }

  private known(root: SourceRoot, origin: WindowRoot['origin']): void {
    if (!this.roots.some((one) => one.origin === origin && isSameRoot(one, root)))
      throw new AppError('not-found', `${shownPath(root.path)} is not in the list any more.`)
  }

  private assertEditable(): void {
    if (this.from !== 'settings')
      throw new AppError('read-only', 'What is read was said when Skein was started.')
  }

  private now(): SourcesView {
    const files = this.detection.files ?? this.looks.files
    return {
      from: this.from,
      roots: this.roots.map(({ source, path: root, origin, isOn }) => ({
        source,
        path: root,
        label: sourceLabel(source),
        shown: shownPath(root),
        origin,
        state: isOn ? this.looks.state({ source, path: root }) : { type: 'off' },
      })),
      systems: this.readers.map(({ id }) => ({ source: id, label: sourceLabel(id) })),
      looking: files === undefined ? null : { files },
      faults: [...this.faults],
    }
  }

  private tellSoon(): void {
    if (this.isClosed) return
    this.timer ??= setTimeout(() => this.tell(), toldEveryMs)
  }

  private tell(): void {
    clearTimeout(this.timer)
    this.timer = undefined
    if (!this.isClosed) this.deps.changed(this.now())
  }
}
