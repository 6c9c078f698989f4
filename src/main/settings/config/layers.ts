import { AppError } from '../../../shared/model/basics/errors'
import type { Protocol } from '../../../shared/model/settings/protocol'
import type { SettingOrigin } from '../../../shared/model/settings/settings'
import type { Candidate } from '../base/candidate'
import type { Located } from '../toml/toml'
import { apiTable } from './api-table'
import type { HomeConfig } from './home-config'
import type { KeySpec } from './key-spec'
import {
  type ApiValues,
  type EffectiveApi,
  type EffectiveValues,
  findKeySpec,
  type PlainValues,
} from './key-table'
import type { ModelsFile } from './model-tables'
import { plainTable } from './plain-table'

/** One origin's values, in chibi's order. */
export interface SettingLayer {
  readonly origin: SettingOrigin
  /** As `where` names it, before the line. */
  readonly shown: string
  readonly plain: PlainValues
  readonly api: ApiValues
}

/** The files and options that layers are built from. */
export interface LayerSources {
  /** Of one run, by key: `fuel`, `api.temperature`. */
  readonly run?: Readonly<Record<string, unknown>> | undefined
  readonly local?: HomeConfig | undefined
  readonly config: HomeConfig
  readonly modelsFile?: ModelsFile | undefined
  /** The model that is asked, by which its tables are found. */
  readonly model?: string | undefined
  /** The API of the provider, as set in Settings. */
  readonly protocol?: Protocol | undefined
}

/**
 * Returns the layers of a run's values; the first one with a value holds: run options, local.toml, the model's table
 * in local.toml, in config.toml and in models.toml, then config.toml, then the provider's protocol in Settings, then
 * chibi's defaults. So a context's own `[api]` comes before the model's table, and that before the home's `[api]`.
 *
 * @throws AppError `bad-argument` for a run option that is none
 */
export function settingLayers(sources: LayerSources): readonly SettingLayer[] {
  const { run, local, config, modelsFile, model = '', protocol } = sources
  const ofModel = modelsFile?.models.get(model)
  const window = ofModel?.contextWindow
  return [
    ...(run === undefined ? [] : [runLayer(run)]),
    ...(local === undefined ? [] : [fileLayer(local), modelLayer(local, model)]),
    modelLayer(config, model),
    {
      origin: 'models.toml',
      shown: 'models.toml',
      plain: window === undefined ? {} : { context_window_limit: window },
      api: ofModel?.api ?? {},
    },
    fileLayer(config),
    ...(protocol === undefined ? [] : [providerLayer(protocol)]),
    defaultLayer,
  ]
}

function fileLayer({ shown, plain, api }: HomeConfig): SettingLayer {
  return { origin: shown, shown, plain, api }
}

function modelLayer({ shown, models }: HomeConfig, model: string): SettingLayer {
  return { origin: shown, shown, plain: {}, api: models.get(model)?.api ?? {} }
}

function runLayer(run: Readonly<Record<string, unknown>>): SettingLayer {
  const checked = Object.entries(run).map(([key, value]) => {
    const spec = findKeySpec(key)
    if (spec === undefined) throw new AppError('bad-argument', `There is no setting "${key}".`)
    const parsed = spec.schema.safeParse(value)
    if (!parsed.success) throw new AppError('bad-argument', `${key} must be ${spec.expected}.`)
    return [key, { value: parsed.data }] as const
  })
  const api = checked.filter(([key]) => key.startsWith('api.'))
  return {
    origin: 'run-option',
    shown: 'run option',
    // Their types are lost on the way through entries: each value passed the schema of its key.
    plain: Object.fromEntries(checked.filter(([key]) => !key.startsWith('api.'))),
    api: Object.fromEntries(api.map(([key, value]) => [key.slice('api.'.length), value])),
  }
}

function providerLayer(protocol: Protocol): SettingLayer {
  return {
    origin: 'settings',
    shown: 'Settings',
    plain: {},
    api: { protocol: { value: protocol } },
  }
}

const defaultLayer: SettingLayer = {
  origin: 'default',
  shown: 'default',
  plain: defaults(plainTable),
  api: defaults(apiTable),
}

function defaults<T extends object>(table: Readonly<Record<string, KeySpec<unknown>>>): T {
  const found = Object.entries(table).flatMap(([key, { fallback }]) =>
    fallback === undefined ? [] : [[key, { value: fallback }] as const],
  )
  // A cast because entries lose their types: a fallback is a value of its own key's type.
  return Object.fromEntries(found) as T
}

/**
 * Lists all values that the layers have for a key, the first one first. Keys of `[api]` are written without that
 * prefix.
 */
export function candidatesFor(
  layers: readonly SettingLayer[],
  table: 'plain' | 'api',
  key: string,
): readonly Candidate<unknown>[] {
  return layers.flatMap((layer) => {
    const values: Readonly<Record<string, Located<unknown> | undefined>> = layer[table]
    const found = Object.hasOwn(values, key) ? values[key] : undefined
    if (found === undefined) return []
    const where = found.line === undefined ? layer.shown : `${layer.shown}:${found.line}`
    return [{ value: found.value, origin: layer.origin, where }]
  })
}

/** Returns the value of each key that holds. */
export function effectiveValues(layers: readonly SettingLayer[]): EffectiveValues {
  const used = Object.keys(plainTable).map((key) => [key, candidatesFor(layers, 'plain', key)[0]])
  // A cast because entries lose their types: a candidate of a key has the type of its key, and the last layer the
  // defaults.
  return Object.fromEntries(used) as EffectiveValues
}

/**
 * Returns the value of each parameter that holds. A reasoning effort and a budget exclude each other: the one of the
 * upper layer holds.
 */
export function effectiveApi(layers: readonly SettingLayer[]): EffectiveApi {
  const top = layers.find(({ api }) => 'reasoning.effort' in api || 'reasoning.max_tokens' in api)
  const cleared =
    top === undefined || 'reasoning.effort' in top.api ? 'reasoning.max_tokens' : 'reasoning.effort'
  const used = Object.keys(apiTable).map((key) => [
    key,
    key === cleared ? undefined : candidatesFor(layers, 'api', key)[0],
  ])
  // A cast because entries lose their types: a candidate of a key has the type of its key.
  return Object.fromEntries(used) as EffectiveApi
}
