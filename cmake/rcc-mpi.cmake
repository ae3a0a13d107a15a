# SPDX-License-Identifier: GPL-2.0-only
# SPDX-FileCopyrightText: 2026 rcc contributors
#
# The programs of a run in several ranks (RCC_MPI=ON): OpenMPI, and ns-3's mpi module. An ns-3 that was built with it has a
# library; Debian's has none, but the module's files in its source package compile against it: they are fetched once with
# apt-get, into the build folder. RCC_NS3_MPI_SOURCE names a folder that has them already (src/mpi/model).
find_package(MPI REQUIRED COMPONENTS CXX)
string(REPLACE "-core" "-mpi" ns3_mpi ${NS3_core})
if(EXISTS ${ns3_mpi})
  add_library(ns3-mpi INTERFACE)
  target_link_libraries(ns3-mpi INTERFACE ${ns3_mpi} MPI::MPI_CXX)
else()
  set(RCC_NS3_MPI_SOURCE "" CACHE PATH "Folder src/mpi/model of the sources of ns-3")
  if(NOT RCC_NS3_MPI_SOURCE)
    set(fetched ${CMAKE_BINARY_DIR}/ns3-mpi/fetched)
    file(GLOB found ${fetched}/source/*/src/mpi/model/mpi-interface.cc ${fetched}/source/src/mpi/model/mpi-interface.cc)
    if(NOT found)
      message(STATUS "fetching the sources of ns-3's mpi module with apt-get")
      find_program(RCC_PYTHON NAMES python3)
      execute_process(COMMAND ${RCC_PYTHON} -m cli.system.apt_source ${fetched} WORKING_DIRECTORY ${CMAKE_CURRENT_SOURCE_DIR}
                      RESULT_VARIABLE failed)
      file(GLOB found ${fetched}/source/*/src/mpi/model/mpi-interface.cc ${fetched}/source/src/mpi/model/mpi-interface.cc)
      if(failed OR NOT found)
        message(FATAL_ERROR "ns-3's mpi module could not be fetched. -DRCC_NS3_MPI_SOURCE=FOLDER names src/mpi/model of the "
                            "sources of ns-3 ${ns3_version}")
      endif()
    endif()
    list(GET found 0 found)
    get_filename_component(RCC_NS3_MPI_SOURCE ${found} DIRECTORY)
  endif()
  file(GLOB ns3_mpi_sources ${RCC_NS3_MPI_SOURCE}/*.cc)
  file(GLOB ns3_mpi_headers ${RCC_NS3_MPI_SOURCE}/*.h)
  file(MAKE_DIRECTORY ${CMAKE_BINARY_DIR}/ns3-mpi/include/ns3)
  foreach(header ${ns3_mpi_headers})
    get_filename_component(name ${header} NAME)
    file(CREATE_LINK ${header} ${CMAKE_BINARY_DIR}/ns3-mpi/include/ns3/${name} SYMBOLIC)
  endforeach()
  add_library(ns3-mpi STATIC ${ns3_mpi_sources})
  target_include_directories(ns3-mpi SYSTEM PUBLIC ${CMAKE_BINARY_DIR}/ns3-mpi/include ${NS3_INCLUDE})
  target_compile_options(ns3-mpi PRIVATE -w)
  target_link_libraries(ns3-mpi PUBLIC ${ns3_libraries} MPI::MPI_CXX)
endif()

rcc_glob(mpi_sources mpi/*.cc)
add_library(rcc-mpi OBJECT ${mpi_sources})
target_link_libraries(rcc-mpi PUBLIC rcc ns3-mpi)
foreach(name clos workload)
  rcc_main(${name}-ranks examples/${name}.cc rcc-mpi ns3-mpi)
endforeach()
rcc_main(ns3-rdma-ranks examples/ns3-rdma.cc rcc-ns3-rdma rcc-mpi ns3-mpi)

if(EXISTS ${CMAKE_CURRENT_SOURCE_DIR}/test/mpi/own-main.cc) # a main that only has ns-3's means
  add_executable(own-main-ranks test/mpi/own-main.cc)
  target_link_libraries(own-main-ranks rcc rcc-mpi ns3-mpi)
endif()
