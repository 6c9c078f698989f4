import { expect, it } from 'vitest'
import { isNewerRelease, NewestRelease } from '../../../src/shared/model/updates'

it('orders versions as semver.org does', () => {
  // Its own example, and numbers that are no words.
  const rising = [
    '0.9.9',
    '0.10.0',
    '1.0.0-alpha',
    '1.0.0-alpha.1',
    '1.0.0-alpha.beta',
    '1.0.0-beta',
    '1.0.0-beta.2',
    '1.0.0-beta.11',
    '1.0.0-rc.1',
    '1.0.0',
    '2.0.0',
    '10.0.0',
  ]
  for (const [at, version] of rising.entries())
    for (const [other, than] of rising.entries())
      expect([version, than, isNewerRelease(version, than)]).toEqual([version, than, at > other])
})

it('passes over what a version has behind a plus', () => {
  for (const [version, than, isNewer] of [
    ['1.0.0+2', '1.0.0+1', false],
    ['1.0.0+rc-1', '1.0.0', false],
    ['1.0.0+a', '1.0.0-rc.1+b', true],
    ['1.0.1+a', '1.0.0', true],
    ['1.0.0', '1.0.1+a', false],
  ] as const)
    expect([version, than, isNewerRelease(version, than)]).toEqual([version, than, isNewer])
  const release = { version: '1.0.0-rc.1+build.7', packages: [] }
  expect(NewestRelease.safeParse(release).success).toBe(true)
})

it('takes a release of plain names, sizes and sums alone', () => {
  const one = { name: 'skein_0.2.0_amd64.deb', size: 7, sha512: `${'A'.repeat(86)}==` }
  const release = (change: object) => ({ version: '0.2.0', packages: [{ ...one, ...change }] })
  expect(NewestRelease.safeParse({ ...release({}), more: 1 }).success).toBe(true)
  for (const change of [{ name: '../x' }, { name: 'a b' }, { size: -1 }, { sha512: 'x' }])
    expect(NewestRelease.safeParse(release(change)).success).toBe(false)
  for (const version of ['1.0', 'v1.0.0', '1.0.0\n', '1.0.0 <b>', ''])
    expect(NewestRelease.safeParse({ version, packages: [] }).success).toBe(false)
})
