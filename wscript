# SPDX-License-Identifier: GPL-2.0-only
# SPDX-FileCopyrightText: 2026 rcc contributors
#
# The module "rcc" of an ns-3 tree that is built with waf (3.35 and earlier): put this folder at <ns-3>/contrib/rcc.
# Later trees use CMakeLists.txt.

CORE = ['core/' + folder for folder in ('cc', 'transport', 'port', 'qp', 'switch', 'text', 'wire')]


def options(opt):
    pass


def configure(conf):
    conf.load('compiler_c')


def names(bld, *patterns):
    return sorted(node.path_from(bld.path) for pattern in patterns for node in bld.path.ant_glob(pattern))


def public_headers(bld):
    found = []
    for name in ('cmake/public-headers.txt', 'cmake/engine-headers.txt'):
        with open(bld.path.find_node(name).abspath()) as f:
            found += [line.strip() for line in f if line.strip() and line[0] != '#']
    return found


def build(bld):
    # waf gives C++ flags to C++ only: without them the core would be built without -O and -fPIC
    flags = [flag for flag in bld.env['CXXFLAGS'] if not flag.startswith('-std=')] + ['-std=c11', '-fPIC']

    module = bld.create_ns3_module('rcc', ['core', 'network', 'internet', 'bridge'])
    module.source = names(bld, 'core/*/*.c', 'model/*/*.cc', 'helper/*.cc')
    module.features = 'c ' + module.features
    module.cflags = flags
    module.includes = CORE + ['model/engine']

    tests = bld.create_ns3_module_test_library('rcc')
    tests.source = names(bld, 'test/*/*-test-suite.cc')
    tests.includes = CORE + ['test/support']

    headers = bld(features='ns3header')
    headers.module = 'rcc'
    headers.source = names(bld, 'core/*/rcc*.h') + public_headers(bld)

    if bld.env['ENABLE_EXAMPLES'] and names(bld, 'examples/*.cc'):
        bld.recurse('examples')
