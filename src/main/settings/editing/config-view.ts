import type {
  ConfigOffer,
  ConfigValue,
  ConfigView,
  SettingFault,
} from '../../../shared/model/settings/settings'
import type { Candidate } from '../base/candidate'
import { apiTable } from '../config/api-table'
import { type HomeConfig, valueInFile } from '../config/home-config'
import type { KeySpec } from '../config/key-spec'
import { candidatesFor, effectiveApi, type SettingLayer } from '../config/layers'
import { plainTable } from '../config/plain-table'
import { fileCandidate } from '../endpoint/candidates'
import type { EndpointChoice } from '../endpoint/endpoint'
import { formatSettingValue } from './value-text'

/** The settings that a view is built from. */
export interface ConfigViewSources {
  readonly choice: EndpointChoice
  readonly layers: readonly SettingLayer[]
  readonly config: HomeConfig
  readonly local?: HomeConfig | undefined
  readonly faults: readonly SettingFault[]
}

/**
 * Builds the view of all keys that Skein uses, each with every origin that has a value. Never has the key of a
 * provider.
 */
export function buildConfigView(sources: ConfigViewSources): ConfigView {
  const { choice, layers, config, local } = sources
  const named: Readonly<Record<string, readonly Candidate<string>[]>> = choice.offers
  const api = effectiveApi(layers)
  const values = [
    ...Object.entries(plainTable).map(([key, spec]: readonly [string, KeySpec<unknown>]) => {
      const offers = named[key] ?? candidatesFor(layers, 'plain', key)
      return rowOf(sources, key, spec, offers, offers[0])
    }),
    ...Object.entries(apiTable).map(([key, spec]: readonly [string, KeySpec<unknown>]) => {
      const used: Candidate<unknown> | undefined = api[key as keyof typeof api] // A key of the table.
      return rowOf(sources, `api.${key}`, spec, candidatesFor(layers, 'api', key), used)
    }),
  ]
  return {
    values,
    faults: explained(sources.faults, values, choice.endpoint.model.value),
    broken: [config, local].flatMap((file) =>
      file?.broken === undefined ? [] : [{ file: file.shown, message: file.broken.message }],
    ),
  }
}

function rowOf(
  { config, local }: ConfigViewSources,
  key: string,
  spec: KeySpec<unknown>,
  offers: readonly Candidate<unknown>[],
  used: Candidate<unknown> | undefined,
): ConfigValue {
  const toOffer = (offer: Candidate<unknown>): ConfigOffer => ({
    origin: offer.origin,
    where: offer.where,
    value: formatSettingValue(spec, offer.value),
  })
  const inFile = (file: HomeConfig | undefined) =>
    file && fileCandidate<unknown>(file, valueInFile(file, key))
  const inConfig = inFile(config)
  const inLocal = inFile(local)
  return {
    key,
    name: spec.name,
    words: spec.words,
    group: spec.group,
    kind: spec.kind,
    ...(spec.choices === undefined ? {} : { choices: [...spec.choices] }),
    ...(used === undefined || used.value === '' ? {} : { used: toOffer(used) }),
    offers: offers.filter(({ value }) => value !== '').map(toOffer),
    ...(spec.fallback === undefined ? {} : { fallback: formatSettingValue(spec, spec.fallback) }),
    ...(inConfig === undefined ? {} : { inConfig: toOffer(inConfig) }),
    ...(inLocal === undefined ? {} : { inLocal: toOffer(inLocal) }),
    isOfContexts: spec.place === 'both',
  }
}

/** Says of each fault what is used instead, where it is of a key that is shown. */
function explained(
  faults: readonly SettingFault[],
  values: readonly ConfigValue[],
  model: string,
): SettingFault[] {
  const ofModel = `models.${JSON.stringify(model)}.`
  return faults.map((fault) => {
    const key = fault.key?.startsWith(ofModel) ? fault.key.slice(ofModel.length) : fault.key
    const value = values.find((each) => each.key === key)
    // A list without its faulty item is used: nothing replaces the item.
    if (value === undefined || /^Item \d/.test(fault.message)) return fault
    const { used } = value
    const words =
      used === undefined
        ? 'No value is used instead.'
        : `Used instead: ${used.value.replaceAll('\n', ', ') || 'nothing'} (${used.where}).`
    return { ...fault, message: `${fault.message} ${words}` }
  })
}
