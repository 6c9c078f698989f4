import path from 'node:path'
import { z } from 'zod'
import type { SettingFault } from '../../../shared/model/settings/settings'
import type { Disk } from '../../disk/interface/disk'
import { type Located, readToml, type TomlFile, takeTomlValue, tomlValueAt } from '../toml/toml'
import type { ApiValues } from './key-table'
import { readApiValues } from './read-values'

/** The values of a file for one model. */
export interface ModelTable {
  readonly api: ApiValues
  /** In tokens. Of models.toml alone. */
  readonly contextWindow?: Located<number>
}

/** The values of models by their ids, compared as chibi does: whole, and as written. */
export type ModelTables = ReadonlyMap<string, ModelTable>

/** chibi's models.toml, which its versions up to 0.8 read. */
export interface ModelsFile {
  readonly broken?: SettingFault
  readonly models: ModelTables
  readonly faults: readonly SettingFault[]
}

/** Reads `<home>/models.toml`: `[models."ID"]` with `context_window`, and `[models."ID".api]`. Never throws. */
export async function readModelsFile(disk: Disk, home: string): Promise<ModelsFile> {
  const file = await readToml(disk, path.join(home, 'models.toml'), 'models.toml')
  const faults: SettingFault[] = file.broken === undefined ? [] : [file.broken]
  const tables = modelTables(file, faults)
  const models = new Map(
    [...tables].map(([id, table]) => {
      const expected = 'a whole number of at least 0'
      const key = ['models', id, 'context_window']
      const contextWindow = takeTomlValue(file, key, z.int().min(0), expected, faults)
      return [id, contextWindow === undefined ? table : { ...table, contextWindow }]
    }),
  )
  faults.sort((a, b) => (a.line ?? 0) - (b.line ?? 0))
  return { ...(file.broken === undefined ? {} : { broken: file.broken }), models, faults }
}

/** Reads the `[models."ID".api]` tables of a file; a value that is no table is a fault, and absent. */
export function modelTables(file: TomlFile, faults: SettingFault[]): ModelTables {
  const Table = z.record(z.string(), z.unknown())
  const found = takeTomlValue(file, ['models'], Table, 'a table', faults)
  return new Map(
    Object.keys(found?.value ?? {}).flatMap((id) => {
      const table = takeTomlValue(file, ['models', id], Table, 'a table', faults)
      if (table === undefined || tomlValueAt(file.root, ['models', id]) === undefined) return []
      return [[id, { api: readApiValues(file, ['models', id, 'api'], faults) }]]
    }),
  )
}
