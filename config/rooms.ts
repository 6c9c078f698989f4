import fs from 'node:fs'
import path from 'node:path'
import { cruise, type ICruiseResult } from 'dependency-cruiser'
import ts from 'typescript'

/** So many source files a folder holds at most; a room with more has sub-rooms. */
const mostFiles = 20

/** One import: both files below `src`, with slashes. */
export interface Import {
  readonly from: string
  readonly to: string
}

/** A source tree as the rule sees it: its files below `src`, with slashes, and who imports whom. */
export interface House {
  readonly files: ReadonlyMap<string, string>
  readonly imports: readonly Import[]
}

/** Folders whose children are rooms; `cli` and `preload` are rooms themselves. */
const floors = ['main', 'renderer', 'shared']

/** Names the room of a file: `main/store`; undefined for a file that stands in none, such as `main/index.ts`. */
function roomOf(file: string): string | undefined {
  const [first = '', second = '', ...rest] = file.split('/')
  if (!floors.includes(first)) return second === '' ? undefined : first
  return rest.length === 0 ? undefined : `${first}/${second}`
}

/** Reads the sources below `root/src` and follows their imports, type-only ones too. Some seconds for a thousand files. */
export async function readHouse(root: string): Promise<House> {
  const src = path.join(root, 'src')
  const files = new Map(
    fs
      .readdirSync(src, { recursive: true, encoding: 'utf8' })
      .map((name) => name.split(path.sep).join('/'))
      .filter((name) => /\.(tsx?|css|md)$/.test(name))
      .map((name) => [name, fs.readFileSync(path.join(src, name), 'utf8')]),
  )
  const { output } = await cruise(['src'], {
    tsPreCompilationDeps: true,
    doNotFollow: { path: 'node_modules' },
    baseDir: root,
  })
  const imports = (output as ICruiseResult).modules.flatMap(({ source, dependencies }) =>
    dependencies.map(({ resolved }) => ({ from: below(source), to: below(resolved) })),
  )
  return { files, imports: imports.filter(({ from, to }) => files.has(from) && files.has(to)) }
}

const below = (file: string) => file.replace(/^src\//, '').replace(/\?.*$/, '')

/** Lists what goes against the rule, one sentence each, sorted. */
export function houseFaults(house: House): readonly string[] {
  return [
    ...crowdedFolders(house),
    ...doorFaults(house),
    ...folderCircles(house),
    ...climbs(house),
    ...doubleNames(house),
  ].toSorted()
}

const isSource = (file: string) => /\.(tsx?|css)$/.test(file)
const folderOf = (file: string) => path.posix.dirname(file)

function crowdedFolders({ files }: House): readonly string[] {
  const counts = new Map<string, number>()
  for (const file of files.keys())
    if (isSource(file)) counts.set(folderOf(file), (counts.get(folderOf(file)) ?? 0) + 1)
  return [...counts]
    .filter(([, count]) => count > mostFiles)
    .map(([folder, count]) => `${folder} has ${count} files; ${mostFiles} at most, then sub-rooms`)
}

/** ROOM.md names the files that other rooms import, each of them and no other. */
function doorFaults({ files, imports }: House): readonly string[] {
  const used = new Map<string, Set<string>>()
  for (const file of files.keys()) {
    const room = roomOf(file)
    if (room !== undefined && isSource(file)) used.set(room, used.get(room) ?? new Set())
  }
  for (const { from, to } of imports) {
    const room = roomOf(to)
    if (room !== undefined && room !== roomOf(from)) used.get(room)?.add(to.slice(room.length + 1))
  }
  return [...used].flatMap(([room, doors]) => {
    const text = files.get(`${room}/ROOM.md`)
    if (text === undefined) return [`${room} has no ROOM.md`]
    const named = doorsIn(text)
    return [
      ...(text.startsWith(`# ${room}\n`)
        ? []
        : [`${room}/ROOM.md does not begin with “# ${room}”`]),
      ...[...doors]
        .filter((door) => !named.includes(door))
        .map((door) => `${room}/${door} is imported from outside and is no door`),
      ...named
        .filter((door) => !doors.has(door))
        .map((door) => `${room}/ROOM.md names the door ${door}, which no other room imports`),
      ...subRoomFaults(room, text, files),
    ]
  })
}

/** Reads the doors of a ROOM.md: the paths of its list under "Doors". */
function doorsIn(text: string): readonly string[] {
  return listed(text, 'Doors')
}

function subRoomFaults(
  room: string,
  text: string,
  files: ReadonlyMap<string, string>,
): readonly string[] {
  const all = listed(text, 'Sub-rooms').map((name) => name.replace(/\/$/, ''))
  // A star names every folder of the room's own: of those that another list names, such as one a system.
  const hasStar = all.includes('*')
  const named = all.filter((folder) => folder !== '*')
  const found = new Set(
    [...files.keys()]
      .filter((file) => file.startsWith(`${room}/`) && isSource(file))
      .map((file) => folderOf(file).slice(room.length + 1))
      .filter((folder) => folder !== ''),
  )
  return [
    ...[...found]
      .filter((folder) => !named.includes(folder) && !(hasStar && !folder.includes('/')))
      .map((folder) => `${room}/ROOM.md does not name its sub-room ${folder}`),
    ...named
      .filter((folder) => !found.has(folder))
      .map((folder) => `${room}/ROOM.md names the sub-room ${folder}, which is not there`),
  ]
}

function listed(text: string, title: string): readonly string[] {
  const [, part = ''] = new RegExp(`^## ${title}\\n([^]*?)(?=^## |$(?![^]))`, 'm').exec(text) ?? []
  return [...part.matchAll(/^- (`[^:\n]*)/gm)].flatMap(([, names = '']) =>
    [...names.matchAll(/`([^`]+)`/g)].map(([, name = '']) => name),
  )
}

/** Folders of a room that import each other, along whatever way. */
function folderCircles({ imports }: House): readonly string[] {
  const ways = new Map<string, Set<string>>()
  for (const { from, to } of imports) {
    const room = roomOf(from)
    if (room === undefined || room !== roomOf(to) || folderOf(from) === folderOf(to)) continue
    const next = ways.get(folderOf(from)) ?? new Set()
    ways.set(folderOf(from), next.add(folderOf(to)))
  }
  return [...ways.keys()]
    .filter((folder) => reaches(ways, folder).has(folder))
    .map((folder) => `${folder} imports a folder that leads back to it`)
}

function reaches(ways: ReadonlyMap<string, ReadonlySet<string>>, from: string): Set<string> {
  const seen = new Set<string>()
  const open = [...(ways.get(from) ?? [])]
  for (let folder = open.pop(); folder !== undefined; folder = open.pop()) {
    if (seen.has(folder)) continue
    seen.add(folder)
    open.push(...(ways.get(folder) ?? []))
  }
  return seen
}

/** A room's own folder is its top floor: no sub-room imports from it. */
function climbs({ imports }: House): readonly string[] {
  return imports
    .filter(({ from, to }) => {
      const room = roomOf(to)
      return room !== undefined && folderOf(to) === room && folderOf(from).startsWith(`${room}/`)
    })
    .map(({ from, to }) => `${from} climbs to ${to}`)
}

/** A name that a search finds is the one that was meant: no two files export the same. */
function doubleNames({ files }: House): readonly string[] {
  const places = new Map<string, string[]>()
  for (const [file, text] of files)
    for (const name of exportedNames(file, text))
      places.set(name, [...(places.get(name) ?? []), file])
  return [...places]
    .filter(([, found]) => found.length > 1)
    .map(([name, found]) => `${name} is exported by ${found.toSorted().join(' and ')}`)
}

/** Lists the names that a file declares and exports; what it only passes on is not among them. */
function exportedNames(file: string, text: string): ReadonlySet<string> {
  if (!/\.tsx?$/.test(file)) return new Set()
  return new Set(
    exportsOf(file, text).flatMap((statement) =>
      ts.isVariableStatement(statement)
        ? statement.declarationList.declarations.flatMap(({ name }) =>
            ts.isIdentifier(name) ? [name.text] : [],
          )
        : 'name' in statement && statement.name !== undefined
          ? [(statement.name as ts.Identifier).text]
          : [],
    ),
  )
}

/** Lists the statements of a file that declare and export something. */
export function exportsOf(file: string, text: string): readonly ts.Statement[] {
  return ts
    .createSourceFile(file, text, ts.ScriptTarget.Latest, true)
    .statements.filter(
      (statement) =>
        ts.canHaveModifiers(statement) &&
        ts.getModifiers(statement)?.some(({ kind }) => kind === ts.SyntaxKind.ExportKeyword),
    )
}
