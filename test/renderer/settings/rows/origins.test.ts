import { expect, it } from 'vitest'
import {
  explainedValue,
  isOverridden,
  originOrder,
} from '../../../../src/renderer/settings/rows/origins'
import { SettingOrigin, type VisibleSettings } from '../../../../src/shared/model/settings/settings'

const view = {
  model: { value: 'm', origin: 'config.toml', where: 'config.toml:3' },
  key: { present: true, hint: 'sk-…7f3c', origin: 'settings' },
} as VisibleSettings

it('lists every place that a value can come from, but the practice model', () => {
  expect([...originOrder.map(({ origin }) => origin), 'practice'].sort()).toEqual(
    [...SettingOrigin.options].sort(),
  )
})

it('knows what comes before Settings', () => {
  const overriding = SettingOrigin.options.filter((origin) => isOverridden({ origin }))
  expect(overriding).toEqual([
    'run-option',
    'chibi-environment',
    'local.toml',
    'models.toml',
    'config.toml',
  ])
  expect(isOverridden(undefined)).toBe(false)
})

it('explains values and the key, which is never more than its hint', () => {
  expect(explainedValue(view, 'model')).toEqual(view.model)
  expect(explainedValue(view, 'key')).toEqual({
    value: 'sk-…7f3c',
    origin: 'settings',
    where: 'keychain',
  })
  expect(explainedValue({ ...view, key: { present: false } }, 'key')).toBeUndefined()
})
