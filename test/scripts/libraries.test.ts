import { describe, expect, it } from 'vitest'
import { hasTime64, missingIn, packageOf } from '../../scripts/setup/libraries.mjs'

const listing = `
	linux-vdso.so.1 (0x00007ffd0a5f2000)
	libffmpeg.so => /opt/runtime/libffmpeg.so (0x00007f0a1c000000)
	libgobject-2.0.so.0 => not found
	libglib-2.0.so.0 => not found
	libnss3.so => not found
	libnssutil3.so => not found
	libatk-1.0.so.0 => not found
	libX11.so.6 => /lib/x86_64-linux-gnu/libX11.so.6 (0x00007f0a1bc00000)
	libX11-xcb.so.1 => not found
	libgbm.so.1 => not found
	libgbm.so.1 => not found
	libc.so.6 => /lib/x86_64-linux-gnu/libc.so.6 (0x00007f0a1ba00000)
	/lib64/ld-linux-x86-64.so.2 (0x00007f0a26b2e000)
`

describe('missing libraries', () => {
  it('names each library that the linker does not find, once', () => {
    expect(missingIn(listing)).toEqual([
      'libgobject-2.0.so.0',
      'libglib-2.0.so.0',
      'libnss3.so',
      'libnssutil3.so',
      'libatk-1.0.so.0',
      'libX11-xcb.so.1',
      'libgbm.so.1',
    ])
  })

  it('finds nothing missing in a program that is linked statically', () => {
    expect(missingIn('\tnot a dynamic executable\n')).toEqual([])
  })
})

describe('the package of a library', () => {
  // What Electron 25 links, and the package of Debian 12 that holds it, as dpkg tells.
  it.each([
    ['libX11.so.6', 'libx11-6'],
    ['libXcomposite.so.1', 'libxcomposite1'],
    ['libXdamage.so.1', 'libxdamage1'],
    ['libXext.so.6', 'libxext6'],
    ['libXfixes.so.3', 'libxfixes3'],
    ['libXrandr.so.2', 'libxrandr2'],
    ['libasound.so.2', 'libasound2'],
    ['libatk-1.0.so.0', 'libatk1.0-0'],
    ['libatk-bridge-2.0.so.0', 'libatk-bridge2.0-0'],
    ['libatspi.so.0', 'libatspi2.0-0'],
    ['libcairo.so.2', 'libcairo2'],
    ['libcups.so.2', 'libcups2'],
    ['libdbus-1.so.3', 'libdbus-1-3'],
    ['libdrm.so.2', 'libdrm2'],
    ['libexpat.so.1', 'libexpat1'],
    ['libgbm.so.1', 'libgbm1'],
    ['libgdk-3.so.0', 'libgtk-3-0'],
    ['libgdk_pixbuf-2.0.so.0', 'libgdk-pixbuf-2.0-0'],
    ['libgio-2.0.so.0', 'libglib2.0-0'],
    ['libglib-2.0.so.0', 'libglib2.0-0'],
    ['libgobject-2.0.so.0', 'libglib2.0-0'],
    ['libgtk-3.so.0', 'libgtk-3-0'],
    ['libnspr4.so', 'libnspr4'],
    ['libnss3.so', 'libnss3'],
    ['libnssutil3.so', 'libnss3'],
    ['libpango-1.0.so.0', 'libpango-1.0-0'],
    ['libsmime3.so', 'libnss3'],
    ['libudev.so.1', 'libudev1'],
    ['libxcb.so.1', 'libxcb1'],
    ['libxkbcommon.so.0', 'libxkbcommon0'],
  ])('for %s is %s', (library, name) => {
    expect(packageOf(library)).toBe(name)
  })

  it('has its newer name on systems with 64 bits for times', () => {
    expect(packageOf('libasound.so.2', true)).toBe('libasound2t64')
    expect(packageOf('libgbm.so.1', true)).toBe('libgbm1')
  })

  it.each([
    ['ID=debian\nVERSION_ID="12"\n', false],
    ['PRETTY_NAME="Debian GNU/Linux 13 (trixie)"\nVERSION_ID="13"\nID=debian\n', true],
    ['PRETTY_NAME="Debian GNU/Linux forky/sid"\nID=debian\n', true],
    ['ID=ubuntu\nVERSION_ID="22.04"\n', false],
    ['ID=ubuntu\nVERSION_ID="24.04"\n', true],
    ['ID=fedora\nVERSION_ID=41\n', false],
    ['', false],
  ])('is named after the release %j: newer %j', (osRelease, newer) => {
    expect(hasTime64(osRelease)).toBe(newer)
  })
})
