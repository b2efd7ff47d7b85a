import { expect, test } from 'vitest'
import { projectPath } from './project-path.ts'

test('one folder is one project, however it was written down', () => {
  const spellings = (...paths: readonly string[]) => [...new Set(paths.map(projectPath))]
  expect(spellings('C:\\a\\b', 'c:/a/b/', 'c:\\a/b\\\\', 'C:/a\\b')).toEqual(['C:\\a\\b'])
  expect(spellings('C:\\', 'c:/', 'C://')).toEqual(['C:\\'])
  expect(spellings('\\\\host\\share', '\\\\host/share/')).toEqual(['\\\\host\\share'])
  expect(spellings('/a/b', '/a/b/', '/a/b//')).toEqual(['/a/b'])
  expect(spellings('/', '//')).toEqual(['/'])
})

test('what tells two folders apart stays', () => {
  const paths = ['/a\\b', '/a/B', '/a/b', 'a', 'c:a', 'C:\\A', 'C:\\a', '']
  expect(paths.map(projectPath)).toEqual(paths)
})
