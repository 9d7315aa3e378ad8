// What the TypeScript compiler says about the imports of a tree, as JSON on stdout.
//
// Input on stdin: {"root": folder, "files": [paths below it]}. For every file: ts.preProcessFile finds the imports and
// ts.resolveModuleName resolves each with the options of the nearest tsconfig.json that includes the file. Packages of
// the workspace are seen as if an install had linked them into node_modules; nothing is written to the tree.
import { createRequire } from 'node:module'
import fs from 'node:fs'
import path from 'node:path'

const require = createRequire(path.join(process.argv[2], 'package.json'))
const ts = require('typescript')
const parse = JSON.parse
JSON.parse = (text, ...rest) => parse(String(text).replace(/^\uFEFF/, ''), ...rest) // some package.json opens with a BOM
const { YarnTool, PnpmTool, LernaTool } = require('@manypkg/tools')

const { root, files } = JSON.parse(fs.readFileSync(0, 'utf8'))
const top = fs.realpathSync(root)
const links = installedLinks()
const members = new Set([...links.keys()].map(link => link.split('/node_modules/').pop()))
const host = overlay()
const configs = new Map()

const answer = {}
for (const file of files.filter(file => !file.endsWith('.json'))) answer[file] = importsOf(path.join(top, file))
process.stdout.write(JSON.stringify({ version: ts.version, members: [...members], files: answer }))

function importsOf(file) {
  const text = fs.readFileSync(file, 'utf8')
  const options = optionsFor(file)
  const info = ts.preProcessFile(text, true, true)
  const format = ts.getImpliedNodeFormatForFile(file, undefined, host, options)
  const out = []
  const starts = lineStarts(text)
  for (const { fileName: written, pos } of info.importedFiles) {
    const name = written.replace(/\?.*$/, '') // "./logo.svg?raw": what follows is for bundlers
    const before = text.slice(Math.max(0, pos - 40), pos + 1)
    const mode = /\brequire\s*\(\s*["'`]?$/.test(before) ? ts.ModuleKind.CommonJS
      : /\bimport\s*\(\s*["'`]?$/.test(before) ? ts.ModuleKind.ESNext : format
    const found = ts.resolveModuleName(name, file, options, host, undefined, undefined, mode).resolvedModule
      ?? (name.startsWith('.') ? ts.resolveModuleName(name, file, lenient(options), host).resolvedModule : undefined)
    out.push({ text: written, line: lineOf(starts, pos), target: found ? inside(found.resolvedFileName) : null, member: isMember(name) })
  }
  for (const { fileName: name, pos } of info.referencedFiles) {
    const target = path.resolve(path.dirname(file), name)
    out.push({ text: name, line: lineOf(starts, pos), target: fs.existsSync(target) ? inside(target) : null, member: false })
  }
  return out
}

function inside(file) {
  const real = linked(file)
  return real.startsWith(top + '/') && !real.includes('/node_modules/') ? real.slice(top.length + 1) : null
}

function optionsFor(file) {
  let fallback
  for (let folder = path.dirname(file); ; folder = path.dirname(folder)) {
    for (const name of ['tsconfig.json', 'jsconfig.json']) {
      const config = configAt(path.join(folder, name))
      if (!config) continue
      const including = withReferences(config).find(one => one.files.has(file))
      if (including) return including.options
      fallback ??= config.options
      break
    }
    if (folder === top || folder === path.dirname(folder)) break
  }
  return fallback ?? settled({})
}

function withReferences(config) {
  const found = new Set([config])
  for (const one of found) for (const reference of one.references) {
    const other = configAt(reference)
    if (other) found.add(other)
  }
  return [...found]
}

function configAt(file) {
  if (!configs.has(file)) {
    let config = null
    if (fs.existsSync(file)) {
      const read = ts.readConfigFile(file, ts.sys.readFile)
      const parsed = ts.parseJsonConfigFileContent(read.config ?? {}, { ...ts.sys, ...host, readDirectory: ts.sys.readDirectory }, path.dirname(file), undefined, file)
      config = {
        options: settled(parsed.options),
        files: new Set(parsed.fileNames),
        references: (parsed.projectReferences ?? []).map(reference => ts.resolveProjectReferencePath(reference)),
      }
    }
    configs.set(file, config)
  }
  return configs.get(file)
}

// JavaScript and JSON are files like any other here. "Classic" is what a configuration for bundlers gets that names no
// moduleResolution; nobody's code is written for it.
function settled(options) {
  const whole = { ...options, allowJs: true, resolveJsonModule: true }
  const way = ts.getEmitModuleResolutionKind(whole)
  return way === ts.ModuleResolutionKind.Classic ? { ...whole, moduleResolution: ts.ModuleResolutionKind.Node10 } : whole
}

// What only a test runner or a bundler reads may leave extensions out where the compiler would insist on them.
function lenient(options) {
  return { ...options, module: ts.ModuleKind.ESNext, moduleResolution: ts.ModuleResolutionKind.Bundler }
}

// Links that an install would make: the packages of the workspace at the top, and what a package.json names by its path.
function installedLinks() {
  const found = new Map()
  for (const tool of [YarnTool, PnpmTool, LernaTool]) {
    if (!tool.isMonorepoRootSync(top)) continue
    for (const one of tool.getPackagesSync(top).packages) {
      if (one.packageJson.name) found.set(path.join(top, 'node_modules', one.packageJson.name), one.dir)
    }
  }
  for (const file of files.filter(file => path.basename(file) === 'package.json')) {
    const folder = path.dirname(path.join(top, file))
    let stated
    try {
      stated = JSON.parse(fs.readFileSync(path.join(top, file), 'utf8'))
    } catch {
      continue // broken on purpose, in somebody's tests
    }
    for (const kind of ['dependencies', 'devDependencies', 'optionalDependencies']) {
      for (const [name, spec] of Object.entries(stated[kind] ?? {})) {
        const local = /^(?:file|link|portal):(.+)$/.exec(spec)
        if (local) found.set(path.join(folder, 'node_modules', name), path.resolve(folder, local[1]))
      }
    }
  }
  return found
}

function linked(file) {
  const at = file.lastIndexOf('/node_modules/')
  if (at < 0) return file
  const parts = file.slice(at + '/node_modules/'.length).split('/')
  const count = parts[0].startsWith('@') ? 2 : 1
  const folder = links.get(file.slice(0, at) + '/node_modules/' + parts.slice(0, count).join('/'))
  return folder ? path.join(folder, ...parts.slice(count)) : file
}

function isMember(name) {
  const parts = name.split('/')
  return members.has(name.startsWith('@') ? parts.slice(0, 2).join('/') : parts[0])
}

function overlay() {
  const folders = new Set()
  for (const link of links.keys()) {
    folders.add(path.dirname(link))
    folders.add(link.slice(0, link.lastIndexOf('/node_modules/')) + '/node_modules')
  }
  return {
    fileExists: file => ts.sys.fileExists(linked(file)),
    readFile: file => ts.sys.readFile(linked(file)),
    directoryExists: folder => folders.has(folder) || ts.sys.directoryExists(linked(folder)),
    getDirectories: folder => ts.sys.getDirectories(linked(folder)),
    realpath: file => linked(file),
    getCurrentDirectory: () => top,
    useCaseSensitiveFileNames: () => true,
  }
}

function lineStarts(text) {
  const starts = [0]
  for (let at = text.indexOf('\n'); at >= 0; at = text.indexOf('\n', at + 1)) starts.push(at + 1)
  return starts
}

function lineOf(starts, pos) {
  let low = 0, high = starts.length
  while (high - low > 1) {
    const middle = (low + high) >> 1
    if (starts[middle] <= pos) low = middle
    else high = middle
  }
  return low + 1
}
